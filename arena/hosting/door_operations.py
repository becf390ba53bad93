"""The operations of an arena by HTTP, for programs that may enter its data folder."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request
from starlette.responses import Response

from arena.operations.acting import ACTING, VISITING
from arena.operations.caller import LOCAL_CALLER, VISITOR, Caller, bearer_of, token_in
from arena.operations.operation import Operation
from arena.store.data_folder import DataFolder
from arena.store.session import Store
from arena.store.tokens import token_with_id, verified
from arena.web.api import HANDLERS, add_operations


def operations_app(folder: DataFolder, store: Store) -> FastAPI:
    """Returns the application that answers for them."""
    api = FastAPI(openapi_url=None, exception_handlers=dict(HANDLERS))
    api.state.folder = folder
    api.state.store = store
    add_operations(api, _answer)
    return api


def _answer(
    request: Request, operation: Operation[..., Any], arguments: dict[str, Any]
) -> Response:
    state = request.app.state
    view = operation.run(_caller(request, state.store), state.folder, state.store, arguments)
    return Response(operation.answers.dump_json(view), media_type="application/json")


def _caller(request: Request, store: Store) -> Caller:
    """Returns who asks. Raises ArenaError."""
    text = token_in(request.headers.get("authorization", ""))
    acting = request.headers.get(ACTING)
    if text is None and acting is None:
        return LOCAL_CALLER
    if text is None and acting == VISITING:
        return VISITOR
    with store.reading() as session:
        if text is not None:
            return bearer_of(verified(session, text))
        return bearer_of(token_with_id(session, acting or ""))
