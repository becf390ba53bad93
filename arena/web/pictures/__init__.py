"""Pictures of tables and lists, drawn on the server: for pages, and for previews of links."""

from arena.web.pictures.felts import felt_of
from arena.web.pictures.pieces import Piece
from arena.web.pictures.png import png_of
from arena.web.pictures.previews import Line, list_preview, table_preview, table_svg
from arena.web.pictures.scene import played_scene, recorded_scene
from arena.web.pictures.table import table_piece

__all__ = [
    "Line",
    "Piece",
    "felt_of",
    "list_preview",
    "played_scene",
    "png_of",
    "recorded_scene",
    "table_piece",
    "table_preview",
    "table_svg",
]
