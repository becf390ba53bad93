"""`docs/protocol.md` matches the current `proto/` and arena."""

from tools.protocol_page import PAGE, ROOT, page


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text() == page(), "python -m tools.protocol_page writes it again"


def test_the_page_has_every_message_and_every_link_leads_somewhere() -> None:
    told = PAGE.read_text()
    places = {part.partition('"')[0] for part in told.split('<a id="')[1:]}
    links = {part.partition(")")[0] for part in told.split("](#")[1:]}
    assert links
    assert links <= places
    for path in (ROOT / "proto").glob("sevens/**/*.proto"):
        for line in path.read_text().splitlines():
            if line.startswith(("message ", "enum ", "service ")):
                package = ".".join(path.relative_to(ROOT / "proto").parts[:-1])
                assert f"{package}.{line.split()[1]}" in places
