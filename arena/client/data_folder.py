"""What changing commands need: a data folder that no other arena holds, and its store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from arena.client.errors import CommandError, Exit
from arena.store.data_folder import DataFolder, FolderInUse, Hold
from arena.store.open import open_store
from arena.store.queries import NotFound
from arena.store.session import Store


@contextmanager
def held(folder: DataFolder) -> Iterator[Hold]:
    """The hold on the data folder; two arenas on one folder are refused."""
    try:
        with folder.hold() as hold:
            yield hold
    except FolderInUse as error:
        raise CommandError(str(error), "data", Exit.UNREACHABLE) from None


@contextmanager
def changing(folder: DataFolder, field: str) -> Iterator[Store]:
    """The store of a data folder, held as long as the context lasts, and made if it is not there.
    What is not found there is told as a mistake in `field`."""
    with held(folder):
        store = open_store(folder.path, "write")
        try:
            yield store
        except NotFound as error:
            raise CommandError(str(error), field) from None
        finally:
            store.close()
