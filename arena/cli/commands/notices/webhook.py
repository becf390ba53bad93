"""`arena webhook`: the addresses to which news of the arena are sent."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.asking import Answer, AskedArena, asks_arena
from arena.cli.options import DEFAULT_DATA, DataOption, ServerOption
from arena.cli.output import JsonOption, moment, print_view, stderr, stdout, table
from arena.client.arena import arena_at
from arena.errors import Exit
from arena.operations.notices.webhooks import (
    add_webhook,
    list_webhooks,
    remove_webhook,
    try_webhook,
)
from arena.store.schema import NewsKind

app = typer.Typer()

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="The webhook's name.")]


@app.command("add")
@asks_arena
def add(
    arena: AskedArena,
    name: NameArgument,
    url: Annotated[str, typer.Argument(metavar="URL", help="The address that receives the news.")],
    kinds: Annotated[
        list[NewsKind] | None,
        typer.Option("--kind", help="A kind of news to send; repeatable. [default: all]"),
    ] = None,
) -> Answer:
    """Send news to an address, and print the secret by which it can check them, once.

    Examples:
        arena webhook add chat https://example.org/hook --kind job-parked
    """
    added = arena.ask(add_webhook, name, url, tuple(kinds or ()))
    yield added
    stderr.say(f"News are sent to {url}. Their signatures have this secret, shown only once:")
    stdout.say(added.secret)


@app.command("list")
@asks_arena
def show(arena: AskedArena) -> Answer:
    """List the webhooks, and what is wrong with them.

    Examples:
        arena webhook list
    """
    found = arena.ask(list_webhooks)
    yield found
    if found.webhooks:
        rows = [
            (
                one.name,
                one.url,
                ", ".join(one.kinds) or "all",
                "" if one.retry_at is None else moment(one.retry_at),
                one.trouble,
            )
            for one in found.webhooks
        ]
        stdout.print(table(("name", "url", "kinds", "next attempt (UTC)", "trouble"), rows))
    else:
        stdout.print("There are no webhooks.")


@app.command("remove")
@asks_arena
def remove(
    arena: AskedArena,
    name: NameArgument,
) -> Answer:
    """Send nothing more to an address.

    Examples:
        arena webhook remove chat
    """
    removed = arena.ask(remove_webhook, name)
    yield removed
    stderr.say(f"The webhook {removed.name} is removed.")


@app.command("try")
def attempt(
    name: NameArgument,
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> int:
    """Send a trial to an address, once, and say whether it was accepted.

    Examples:
        arena webhook try chat
    """
    with arena_at(server, data) as arena:
        tried = arena.ask(try_webhook, name)
    if as_json:
        print_view(tried)
    else:
        stderr.say(tried.trouble or f"The webhook {tried.name} accepted the trial.")
    return Exit.ANSWER_IS_NO if tried.trouble else Exit.DONE
