"""The pages of a contestant, on an arena that runs: submit, faults, suspension, retire."""

from __future__ import annotations

import io
import json
import re
import subprocess
import tarfile
from collections.abc import Iterator
from datetime import timedelta
from html import unescape
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from arena.bots.source import PACKED_LIMIT_BYTES
from arena.store.schema import now
from tests.support.bad_bots import NEVER_SAYS_HELLO, RANDOM, RUN
from tests.support.chromium import PHONE, visiting
from tests.support.command_line import ran
from tests.support.faultless_pages import SIZES, assert_faultless
from tests.support.fetched import fetched
from tests.support.patience import until
from tests.support.visitor import MULTIPART, Answer, Visitor, parts
from tests.support.whole_arena.arena import LADDER, WholeArena
from tests.support.whole_arena.strangers import token_of

# In every second match of a process, so that its trial goes well.
CLUMSY = (
    "import sys\n"
    + RANDOM
    + """
    seen = set()

    def choose(self, decision):
        self.seen.add(self.match.id)
        print("thinking <hard>", file=sys.stderr, flush=True)
        if len(self.seen) % 2 == 0:
            raise ValueError("no card left")
        return self.random.choice(decision.legal)
"""
    + RUN
)
MANIFEST = 'name = "{}"\ngames = []\nrun = ["python", "bot.py"]\nlanguage = "python"\n{}'


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WholeArena]:
    with WholeArena(tmp_path_factory.mktemp("arena")) as running:
        running.create()
        running.server("--web", "127.0.0.1:0", "--bots", "3")
        yield running


@pytest.fixture(scope="module")
def pages(arena: WholeArena) -> str:
    return arena.parts[0].pages()


@pytest.fixture(scope="module")
def ann(arena: WholeArena, pages: str) -> Visitor:
    return Visitor(pages).log_in(token_of(arena, "Ann"))


@pytest.fixture(scope="module")
def bob(arena: WholeArena, pages: str) -> Visitor:
    return Visitor(pages).log_in(token_of(arena, "Bob"))


@pytest.fixture(scope="module")
def organiser(arena: WholeArena, pages: str) -> Visitor:
    return Visitor(pages).log_in(token_of(arena, "Org", "organiser"))


@pytest.fixture(scope="module")
def clumsy(ann: Visitor, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A bot of Ann's, which is suspended for its faults by now."""
    submitted = submit(ann, packed(tmp_path_factory.mktemp("clumsy"), "clumsy", CLUMSY))
    assert "clumsy version 1 is on the ladder" in submitted.text, submitted.text
    until(lambda: "is suspended from" in ann.get("/own").text, "it is suspended", 100)
    return "clumsy"


def packed(folder: Path, name: str, program: str = RANDOM + RUN, more: str = "") -> bytes:
    """Packs a bot as the page says."""
    bot = folder / name
    bot.mkdir()
    (bot / "bot.py").write_text(program)
    (bot / "bot.toml").write_text(MANIFEST.format(name, more))
    archive = folder / f"{name}.tar.gz"
    subprocess.run(["tar", "-C", bot, "-czf", archive, "."], check=True)
    return archive.read_bytes()


def submit(visitor: Visitor, archive: bytes, ladder: str = LADDER) -> Answer:
    return visitor.upload("/own/submit", {"ladder": ladder}, "archive", archive)


def said(answer: Answer) -> str:
    """Returns the texts of a page."""
    return unescape(re.sub(r"<[^>]*>", "", answer.text))


def number_of_bots(ann: Visitor) -> int:
    found = re.search(r"\b(\d) of 3 bots", said(ann.get("/own")))
    assert found
    return int(found[1])


def test_a_bot_is_submitted_by_a_form(ann: Visitor, tmp_path: Path) -> None:
    before = number_of_bots(ann)
    assert "tar -C FOLDER -czf bot.tar.gz ." in ann.get("/own/submit").text
    archive = packed(tmp_path, "ann-bot", more='build = ["sh", "-c", "echo made it"]\n')
    entered = submit(ann, archive)
    assert entered.status == 200
    steps = re.findall(r'<li class="passed"><strong>(\w+)</strong>', entered.text)
    assert steps == ["archive", "build", "start", "match"]
    assert "made it" in entered.text
    assert "Accepted: ann-bot version 1 is on the ladder." in said(entered)
    assert entered.text.rstrip().endswith("</html>")
    assert "ann-bot" in said(ann.get("/own"))
    assert number_of_bots(ann) == before + 1
    again = submit(ann, archive)
    assert "Exactly these files are on the ladder already." in again.text


def test_the_software_of_the_server_is_named(ann: Visitor, pages: str) -> None:
    described = json.loads(fetched(f"{pages}/api").html)["software"]
    assert described["packages"].keys() >= {"sevens-sdk", "grpcio", "numpy"}
    sentence = f"Bots find Python {described['python']} ({described['build']}) with grpcio "
    assert sentence in said(ann.get("/own/submit"))


def test_steps_come_as_they_are_taken_and_leaving_withdraws(bob: Visitor, tmp_path: Path) -> None:
    silent = packed(tmp_path, "silent", NEVER_SAYS_HELLO)
    body = parts({"ladder": LADDER}, "archive", silent)
    connection, response = bob.open("POST", "/own/submit", body, {**bob.own(), **MULTIPART})
    come = b""
    while b"Starting it." not in come:
        come += response.read1()
    assert b"</html>" not in come
    assert b"Unpacked 2 files" in come
    good = packed(tmp_path, "bob-bot")
    refused = submit(bob, good)
    assert refused.status == 429
    assert "Another submission of yours is still in progress" in said(refused)
    response.close()
    connection.close()
    until(lambda: submit(bob, good).status == 200, "the slot is free again", 30)
    assert "silent" not in said(bob.get("/own"))


@pytest.mark.slow
@pytest.mark.needs("chromium")
def test_a_browser_without_scripts_shows_the_steps_as_they_come(
    browser: Browser, arena: WholeArena, pages: str, tmp_path: Path
) -> None:
    seen = tmp_path / "seen"
    build = f"echo begun; until [ -e {seen} ]; do sleep 0.1; done"
    packed(tmp_path, "slowly", more=f'build = ["sh", "-c", "{build}"]\n')
    settings = {"java_script_enabled": False, "viewport": PHONE}
    with visiting(browser, pages, **settings) as visit:
        page = visit.open("/own/submit")
        page.fill("#token", token_of(arena, "Cas"))
        page.click("main button")
        page.set_input_files("#archive", tmp_path / "slowly.tar.gz")
        page.click("main button", no_wait_after=True)
        page.get_by_text("begun").wait_for()
        assert page.locator(".steps li:visible").count() == 2
        assert page.locator(".outcome").count() == 0
        seen.touch()
        page.get_by_text("slowly version 1 is on the ladder").wait_for()
        assert page.locator(".steps li:visible").count() == 5


@pytest.mark.parametrize(
    ("change", "status", "sentence"),
    [
        ("damaged", 400, "not a readable tar.gz"),
        ("text", 400, "not a readable tar.gz"),
        ("empty", 400, "There was no archive, or an empty one"),
        ("sub-folder", 400, "one in its folder 'bobs': pack only that folder"),
        ("leads out", 400, "leads out of the bot's folder"),
        ("ladder", 404, "no ladder 'elsewhere'"),
        ("taken", 409, "belongs to"),
    ],
)
def test_an_archive_that_is_no_bot_is_refused_with_a_sentence(
    bob: Visitor, tmp_path: Path, change: str, status: int, sentence: str
) -> None:
    good = packed(tmp_path, "random" if change == "taken" else "bobs")
    archive = {
        "damaged": good[:40] + bytes(20) + good[60:],
        "text": b"#!/bin/sh\n" * 99,
        "empty": b"",
        "sub-folder": tarred("bobs/bot.toml", "bobs/bot.py", "README.md"),
        "leads out": tarred("bot.toml", "../../etc/passwd"),
    }.get(change, good)
    refused = submit(bob, archive, "elsewhere" if change == "ladder" else LADDER)
    assert (refused.status, sentence in said(refused)) == (status, True), said(refused)
    assert "How to pack it" in refused.text


def tarred(*names: str) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as archive:
        for name in names:
            member = tarfile.TarInfo(name)
            member.size = 4
            archive.addfile(member, io.BytesIO(b"x=1\n"))
    return file.getvalue()


def test_a_form_that_is_none_or_too_large_is_refused_before_it_is_read(bob: Visitor) -> None:
    assert bob.post("/own/submit", {"ladder": LADDER}).status == 400
    own, fields = bob.own(), {"ladder": LADDER}
    large = {**own, **MULTIPART, "Content-Length": str(PACKED_LIMIT_BYTES * 2)}
    refused = bob.ask("POST", "/own/submit", b"", large)
    assert (refused.status, "larger than 100 MiB" in refused.text) == (413, True)
    for body in (b"no boundary", parts({"ladder": "x" * 2000}, "archive", b"x")):
        assert bob.ask("POST", "/own/submit", body, {**own, **MULTIPART}).status == 400
    many = parts({f"f{i}": "x" for i in range(9)}, "archive", b"x")
    assert bob.ask("POST", "/own/submit", many, {**own, **MULTIPART}).status == 400
    no_file = parts(fields, "other", b"x")
    assert bob.ask("POST", "/own/submit", no_file, {**own, **MULTIPART}).status == 400


def test_a_failed_trial_shows_the_end_of_what_the_bot_wrote(bob: Visitor, tmp_path: Path) -> None:
    program = "raise SystemExit('<b>model.bin</b> is not there')\n"
    failed = submit(bob, packed(tmp_path, "fails", program))
    assert failed.status == 200
    assert "&lt;b&gt;model.bin&lt;/b&gt; is not there" in failed.text
    assert "Not accepted" in said(failed)


@pytest.mark.slow
@pytest.mark.needs("chromium")
def test_the_owner_of_a_bot_that_lost_has_the_match_analysed(
    ann: Visitor, clumsy: str, browser: Browser
) -> None:
    lost = ann.get(f"/matches?bot={clumsy}&result=lost").text
    [address, *_] = re.findall(r'<a href="(/matches/[^"?]+)', lost)
    with visiting(browser, ann.origin) as visit:
        visit.page.context.add_cookies(
            [{"name": n, "value": v, "url": ann.origin} for n, v in ann.cookies.items()]
        )
        held: list[Route] = []
        visit.page.route("**/replay.json*", lambda route: held.append(route))
        page = visit.open(address)
        page.get_by_role("link", name="Ask your bot again.").click()
        expect(page.locator("#ask-again")).to_be_visible()  # within what was folded away
        page.get_by_role("link", name="Which decision cost most?").click()
        page.get_by_role("button", name="Analyse this match").click()
        expect(page.locator("#analysis")).to_contain_text(
            re.compile("waits in the queue|is being analysed|Accuracy")
        )
        held.pop().continue_()  # it was asked for before the replay had come
        expect(page.get_by_role("button", name="Next decision")).to_be_visible()
        page.keyboard.press("ArrowRight")  # a click may fall between two drawings, and is lost
        expect(page).to_have_url(re.compile(r"\?at=2#analysis$"))  # the page has not been left
    without_script = ann.post("/do/request_analysis", {"match": address.removeprefix("/matches/")})
    assert without_script.location == f"{address}#analysis"


def test_the_inbox_folds_faults_and_says_how_to_see_them_again(
    arena: WholeArena,
    ann: Visitor,
    bob: Visitor,
    organiser: Visitor,
    clumsy: str,
    tmp_path: Path,
) -> None:
    inbox = ann.get("/own/faults")
    text = said(inbox)
    assert "clumsy version 1: crashed, ValueError" in text
    assert re.search(r"\d+ times, last ", text)
    assert re.search(r"Clock: [\w. ]+ left for this decision, [\w. ]+ used before", text)
    assert "no card left" in text
    assert "thinking &lt;hard&gt;" in inbox.text
    [link] = re.findall(r'<a href="(/matches/[^"]+&amp;at=\d+)">', inbox.text)
    [command] = re.findall(r"<pre[^>]*>arena (replay .*)</pre>", inbox.text)
    relived = ran(*command.split(), "--data", arena.data)
    assert relived.code == 0
    assert "chosen by          the arena: crashed." in relived.out
    at = link.rpartition("=")[2]
    assert f"\nDecision {at} of " in relived.out
    [rewind] = re.findall(r"<pre[^>]*>arena (rewind .* FOLDER .* --at \d+)</pre>", inbox.text)
    (tmp_path / "bot.py").write_text(CLUMSY)
    (tmp_path / "bot.toml").write_text(MANIFEST.format("clumsy", ""))
    words = [str(tmp_path) if word == "FOLDER" else word for word in rewind.split()]
    again = ran(*words, "--data", arena.data, "--sandbox", "none")
    assert again.code == 1  # in the first match of a process it does not fail
    assert f"Decision {at}, its own #" in again.out
    assert "(crashed)" in again.out
    assert f">arena {rewind}</pre>" in ann.get(unescape(link)).text
    assert "arena rewind" not in Visitor(ann.origin).get(unescape(link)).text
    assert "There are no faults." in bob.get("/own/faults").text
    assert bob.get("/own/faults?owner=Ann").status == 403
    assert bob.get("/own/faults?bot=clumsy").status == 403
    assert bob.get("/own?owner=Ann").status == 403
    assert "clumsy version 1" in said(organiser.get("/own/faults?owner=Ann"))
    assert "clumsy version 1" in said(organiser.get("/own/faults?bot=clumsy"))
    assert ann.get("/own/faults?after=x.0").status == 404
    for path in ("/own", "/own/faults"):
        unknown = organiser.get(f"{path}?owner=An")
        assert (unknown.status, "Did you mean Ann?" in unknown.text) == (404, True)


def test_the_private_log_is_for_the_owner_of_a_seat(
    ann: Visitor, bob: Visitor, organiser: Visitor, clumsy: str
) -> None:
    [address] = re.findall(r'href="(/own/matches/[^"]+/log)"', ann.get("/own/faults").text)
    log = ann.get(address)
    assert log.headers["content-type"].startswith("text/plain")
    assert log.headers["content-disposition"].startswith("attachment")
    assert "clumsy version 1" in log.text
    assert "fault at decision" in log.text
    assert "  thinking <hard>" in log.text
    assert bob.get(address).status in (200, 403)  # Bob's bot may sit there as well
    assert "thinking" not in bob.get(address).text
    assert organiser.get(address).text.count(", seat ") > 1
    assert ann.get("/own/matches/nothing/log").status == 404
    shown = address.removeprefix("/own").removesuffix("/log")
    own, foreign = ann.get(shown).text, Visitor(ann.origin).get(shown).text
    for private in ("The end of the stderr of clumsy", "thinking &lt;hard&gt;", address):
        assert private in own
        assert private not in foreign


@pytest.mark.slow
@pytest.mark.needs("chromium")
@pytest.mark.needs("node")
@pytest.mark.parametrize(("scheme", "size"), [("light", "phone"), ("dark", "desktop")])
def test_own_pages_keep_nobody_out(
    browser: Browser,
    arena: WholeArena,
    pages: str,
    ann: Visitor,
    clumsy: str,
    axe: str,
    scheme: str,
    size: str,
    tmp_path: Path,
) -> None:
    [link] = re.findall(r'<a href="(/matches/[^"]+&amp;at=\d+)">', ann.get("/own/faults").text)
    own = ["/own", "/own/faults", "/own/submit", f"/do/retire_version?bot={clumsy}&number=1"]
    with visiting(browser, pages, color_scheme=scheme, viewport=SIZES[size]) as visit:
        page = visit.open("/login")
        page.fill("#token", token_of(arena, "Ann"))
        page.click("main button")
        page.wait_for_url("**/own")
        for address in (*own, unescape(link), "/own/faults?bot=nobody", "/own?owner=Bob"):
            assert_faultless(visit.open(address), axe)
        visit.open("/own/submit")
        failing = packed(tmp_path, "fails", DEEP)
        page.set_input_files(
            "[name=archive]",
            {"name": "fails.tar.gz", "mimeType": "application/gzip", "buffer": failing},
        )
        page.get_by_role("button", name="Submit").click()
        expect(page.get_by_text("Not accepted")).to_be_visible()
        assert_faultless(page, axe)
        assert "the last line" in page.evaluate(VISIBLE_END)


DEEP = """def fail(depth):
    return fail(depth - 1) + 1 if depth % 2 else again(depth)

def again(depth):
    if not depth:
        raise ValueError("the last line")
    return fail(depth - 1) + 1

fail(30)
"""
# The last line of an output, if a reader sees it without scrolling.
VISIBLE_END = """() => {
  const output = document.querySelector('.steps pre');
  const text = output.firstChild;
  const end = document.createRange();
  end.setStart(text, text.data.trimEnd().lastIndexOf('\\n') + 1);
  end.setEnd(text, text.data.trimEnd().length);
  const [line, box] = [end, output].map((one) => one.getBoundingClientRect());
  return line.bottom <= box.bottom + 1 && line.top >= box.top - 1 ? end.toString() : '';
}"""


def test_a_suspended_version_is_readmitted_by_an_organiser_alone(
    ann: Visitor, organiser: Visitor, clumsy: str
) -> None:
    own = said(ann.get("/own"))
    assert "Version 1 is suspended from the ladder main" in own
    assert "fix it, and submit a new version" in own
    fields = {"bot": clumsy, "number": "1", "ladder": LADDER}
    refused = ann.post("/do/readmit_version", fields)
    assert (refused.status, "needs the role organiser" in refused.text) == (403, True)
    theirs = organiser.get("/own?owner=Ann")
    [address] = re.findall(r'href="(/do/readmit_version\?[^"]+)"', theirs.text)
    asked = organiser.get(unescape(address))
    assert "Readmit version 1 of clumsy to the ladder main?" in asked.text
    assert organiser.post("/do/readmit_version", fields).location == "/own?owner=Ann"
    again = organiser.post("/do/readmit_version", fields)
    assert again.status in (303, 404)  # suspended again, or not


def test_a_version_is_retired_by_its_owner(ann: Visitor, bob: Visitor, tmp_path: Path) -> None:
    submitted = submit(ann, packed(tmp_path, "old"))
    assert "Accepted" in submitted.text, said(submitted)
    fields = {"bot": "old", "number": "1"}
    assert bob.post("/do/retire_version", fields).status == 403
    asked = ann.get("/do/retire_version?bot=old&number=1")
    assert "Retire version 1 of old?" in asked.text
    assert "retired" not in said(ann.get("/own"))
    assert ann.post("/do/retire_version", fields).location == "/own"
    assert "retired" in said(ann.get("/own"))
    for wrong in ({"bot": "old", "number": "9"}, {"bot": "nobody", "number": "1"}):
        assert ann.post("/do/retire_version", wrong).status == 404
    assert ann.post("/do/retire_version", {"bot": "old", "number": "x"}).status == 400
    assert ann.post("/do/retire_version", {"bot": "old"}).status == 400


def test_a_bot_is_checked_in_by_its_owner(
    arena: WholeArena, ann: Visitor, bob: Visitor, tmp_path: Path
) -> None:
    submitted = submit(bob, packed(tmp_path, "punctual"))
    assert "Accepted" in submitted.text, said(submitted)
    folder = tmp_path / "organiser"
    folder.mkdir()
    starts_at = (now() + timedelta(hours=2)).isoformat()
    terms = ("--starts-at", starts_at, "--check-in", 600, "--data", arena.data)
    created = ran("tournament", "create", "cup", "xeri", "punctual", *terms, folder=folder)
    assert "It starts by itself at " in created.err, created.err
    assert "do/check_in" not in ann.get("/tournaments/cup").text
    assert f", starts {starts_at[:10]} " in said(ann.get("/tournaments"))
    [address] = re.findall(r'href="(/do/check_in\?[^"]+)"', bob.get("/tournaments/cup").text)
    asked = bob.get(unescape(address))
    assert "Check punctual in to the tournament cup?" in asked.text
    fields = {"tournament": "cup", "bot": "punctual"}
    assert ann.post("/do/check_in", fields).status == 403
    assert bob.post("/do/check_in", fields).location == "/tournaments/cup"
    page = bob.get("/tournaments/cup")
    assert "do/check_in" not in page.text
    assert "1 of 1 entrants" in said(page)
    again = ran("tournament", "check-in", "cup", "punctual", "--data", arena.data, folder=folder)
    assert again.err == "punctual has checked in to the tournament cup.\n"


def test_who_has_not_logged_in_changes_nothing(pages: str) -> None:
    stranger = Visitor(pages)
    assert stranger.post("/do/retire_version", {"bot": "random", "number": "1"}).status == 401
    assert submit(stranger, b"x").status == 401
    assert stranger.get("/own/matches/x/log").status == 303
    assert stranger.ask("POST", "/own/submit", bytes(9_000_000), MULTIPART).status in (401, 403)


@pytest.mark.slow
@pytest.mark.needs("chromium")
@pytest.mark.needs("node")
@pytest.mark.parametrize(("scheme", "size"), [("light", "desktop"), ("dark", "phone")])
def test_the_pages_of_organisers_are_faultless(
    arena: WholeArena, pages: str, browser: Browser, axe: str, scheme: str, size: str
) -> None:
    shown = [
        "/organiser",
        *(f"/organiser/{name}" for name in ("workers", "queue", "tokens", "disk")),
    ]
    forms = [f"/do/{name}" for name in ("create_ladder", "create_tournament", "ban_owner")]
    with visiting(browser, pages, color_scheme=scheme, viewport=SIZES[size]) as visit:
        page = visit.open("/login")
        page.fill("#token", token_of(arena, "Org", "organiser"))
        page.click("main button")
        page.wait_for_url("**/own")
        for address in (*shown, *forms, "/own", "/own/audit", f"/ladders/{LADDER}"):
            assert_faultless(visit.open(address), axe)
