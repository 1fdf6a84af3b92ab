#!/usr/bin/env python3
"""The pages of `binfmt dump --html` in a headless Chromium: links in both directions, search, folding, keys, light and dark; and the
pictures of `plot` and `layout --svg`.

    python3 tests/interop/pages.py [--shots FOLDER]

Uses the Chromium that is there (Debian: `apt install chromium`), and installs none: without it nothing is looked at, and it says so.
Exit status 0: all is as it should be, or there is no browser.
"""

import struct
import subprocess
import sys
from pathlib import Path

from chromium import Browser, find
from common import ROOT, WORK, command

FOLDER = WORK / "pages"


def byte(offset, section=0):
    return f"document.querySelector('.hex i[data-s=\"{section}\"][data-o=\"{offset}\"]')"


def marked(kind):
    return f"[...document.querySelectorAll('.hex i.{kind}')].map(i => +i.dataset.o)"


def node(text):
    """The row of the tree that begins so."""
    return f"[...document.querySelectorAll('.node')].find(row => row.textContent.replace(/^[▸▾]/, '').startsWith({text!r}))"


ROWS = "[...document.querySelectorAll('.node')].map(row => row.textContent.replace(/^[▸▾]/, ''))"
STATUS = "document.getElementById('status').textContent"


def equal(found, expected, what):
    if found != expected:
        raise SystemExit(f"{what}: expected {expected!r}, found {found!r}")


def holds(text, part, what):
    if part not in text:
        raise SystemExit(f"{what}: no {part!r} in {text!r}")


def links(page, shot):
    """A byte marks its part, a part its bytes; a click goes there."""
    page.hover(byte(0x1AF))
    equal(page.ask(marked("hot")), [0x1AE, 0x1AF, 0x1B0, 0x1B1, 0x1B2], "the text under the pointer")
    holds(page.ask(STATUS), 'pages[0].table[0].ElementName', "the status")
    holds(page.ask(STATUS), '"_BEG_"', "the status")
    page.click(byte(0x1AF))
    holds(page.ask("document.querySelector('.node.select').textContent"), '"_BEG_"', "the row of the tree")
    equal(page.ask("location.hash"), "#0x1ae", "the address")
    shot("chosen")
    page.hover(node("betax: 9.75"))
    equal(len(page.ask(marked("hot"))), 8, "the bytes of a number")
    page.ask("document.getElementById('tree').scrollTop = 0")
    page.settle()
    page.click(node("header"))
    equal(page.ask(marked("select"))[:3], [0, 1, 2], "the bytes of the header")


def folding(page):
    page.click(node("header"))
    before = len(page.ask(ROWS))
    page.key("ArrowLeft")
    equal(page.ask(ROWS)[1].startswith("pages"), True, "the header is folded")
    page.key("ArrowRight")
    equal(len(page.ask(ROWS)), before, "rows after unfolding")
    page.key("c")
    folded = page.ask(ROWS)
    equal([row[:5] for row in folded], ["heade", "pages"], "folded rows")
    page.key("e")
    if len(page.ask(ROWS)) <= len(folded):
        raise SystemExit("e unfolds nothing")


def searching(page):
    page.key("/", "/")
    equal(page.ask("document.activeElement.id"), "search", "the key /")
    equal(page.ask("document.getElementById('search').value"), "", "the key itself is not typed")
    page.type("betax")
    page.key("Enter")
    holds(page.ask("document.getElementById('hits').textContent"), "1/", "hits")
    first = page.ask(STATUS)
    page.key("Enter")
    if page.ask(STATUS) == first:
        raise SystemExit("the next hit is the same")
    page.ask("document.getElementById('search').select()")
    page.type("44 31")
    page.key("Enter")
    equal(page.ask(marked("select")), [0x1DD, 0x1DE], "bytes that are searched for")
    page.ask("document.getElementById('search').select()")
    page.type("no such thing")
    page.key("Enter")
    equal(page.ask("document.getElementById('search').className"), "bad", "nothing found")
    page.key("Escape")


def going(page):
    page.key("g", "g")
    page.type("0x1af")
    page.key("Enter")
    holds(page.ask(STATUS), '"_BEG_"', "an offset")
    equal(page.ask("document.activeElement.id"), "bytes", "the bytes have the keys")
    page.key("ArrowDown")
    equal(page.ask("+document.querySelector('i.at').dataset.o"), 0x1BF, "a line further")
    page.key("ArrowLeft")
    equal(page.ask("+document.querySelector('i.at').dataset.o"), 0x1BE, "a byte back")
    page.key("g", "g")
    page.ask("document.getElementById('jump').select()")
    page.type("0xffff")
    page.key("Enter")
    equal(page.ask("document.getElementById('jump').className"), "bad", "an offset that is not there")
    page.key("Escape")


def dark(page, shot):
    back = "getComputedStyle(document.body).backgroundColor"
    page.scheme("light")
    light = page.ask(back)
    page.scheme("dark")
    if page.ask(back) == light:
        raise SystemExit("dark is as light")
    shot("dark")
    page.key("t")
    equal(page.ask(back), light, "the key t")
    page.key("t")
    page.scheme("light")
    if page.ask(back) == light:
        raise SystemExit("what was chosen does not stay")
    page.key("?", "?")
    holds(page.ask("document.getElementById('side').textContent"), "go to an offset", "the keys")
    page.key("Escape")
    equal(page.ask("document.getElementById('side').hidden"), True, "Escape closes the panel")


def large(browser, binfmt, shot):
    """A page of many rows draws the few that are seen, and says what it leaves out."""
    file, layout, page = FOLDER / "large.bin", FOLDER / "large.layout", FOLDER / "large.html"
    file.write_bytes(b"".join(struct.pack("<Id", i, i / 8) for i in range(120_000)))
    layout.write_text("record, le\n  n: u32\n  x: f64\n")
    binfmt("dump", "--html", file, "--layout", layout, "--output", page)
    browser.open(page)
    equal(browser.errors(), [], "errors")
    if browser.ask("document.querySelectorAll('*').length") > 4000:
        raise SystemExit("too many rows are in the page")
    holds(browser.ask("document.getElementById('note').textContent"), "--most", "what is left out")
    browser.key("g", "g")
    browser.type(str(12 * 66_000 + 5))
    browser.key("Enter")
    holds(browser.ask(STATUS), "[66000].x", "far down")
    holds(browser.ask(STATUS), "8250", "far down")
    browser.key("d")
    holds(browser.ask("document.getElementById('side').textContent"), "x: f64", "the layout")
    shot("large")


def pictures(browser, binfmt, shot):
    """Drawings that the browser reads without an error, to their size, and a layout that turns dark."""
    twiss = ROOT / "examples/data/twiss.sdds"
    plots = {
        "lines": ["--x", "s", "--y", "betax"],
        "points": ["--x", "s", "--y", "betax", "--points", "--log", "y", "--title", "β & <γ>"],
        "histogram": ["--y", "s,betax", "--histogram"],
    }
    for name, words in plots.items():
        out = FOLDER / f"{name}.svg"
        binfmt("plot", twiss, *words, "--output", out)
        browser.open(out)
        equal(browser.ask("document.documentElement.tagName"), "svg", name)
        equal(browser.ask("[document.documentElement.width.baseVal.value, document.documentElement.height.baseVal.value]"), [900, 560], name)
        inside = "[...document.querySelectorAll('text')].every(t => { const b = t.getBoundingClientRect(); return b.left >= 0 && b.right <= 900 && b.top >= 0 && b.bottom <= 560; })"
        equal(browser.ask(inside), True, f"{name}: all text is in the picture")
        shot(name)
    layout, out = FOLDER / "packet.layout", FOLDER / "packet.svg"
    layout.write_text(LAYOUT)
    with open(out, "wb") as file:
        subprocess.run([WORK.parent / "debug" / "binfmt", "layout", layout, "--svg"], check=True, stdout=file)
    browser.scheme("light")
    browser.open(out)
    fill = "getComputedStyle(document.querySelector('.back')).fill"
    light = browser.ask(fill)
    shot("layout")
    browser.scheme("dark")
    if browser.ask(fill) == light:
        raise SystemExit("the layout is not dark")
    shot("layout-dark")
    browser.scheme("light")


LAYOUT = """Packet: record, be
  magic: u32
  version: u8, bits(4, of = u16)
  urgent: bool, bits(1)
  length: u16, bits(11)
  head: record
    time: u64
    source: record
      host: u32
      port: u16
  name: text, length_prefixed(u8)
  samples: [f32; 40]
  crc: u32
"""


def main():
    program = find()
    if program is None:
        print("NO CHROMIUM: THE PAGES ARE NOT LOOKED AT (Debian: apt install chromium)", file=sys.stderr)
        return
    shots = Path(sys.argv[sys.argv.index("--shots") + 1]) if "--shots" in sys.argv else FOLDER / "shots"
    FOLDER.mkdir(parents=True, exist_ok=True)
    shots.mkdir(parents=True, exist_ok=True)
    binfmt = command()
    page = FOLDER / "twiss.html"
    binfmt("dump", "--html", ROOT / "examples/data/twiss.sdds", "--output", page)
    with Browser(program) as browser:
        def shot(name):
            browser.shot(shots / f"{name}.png")

        browser.scheme("light")
        browser.open(page)
        shot("light")
        links(browser, shot)
        folding(browser)
        searching(browser)
        going(browser)
        dark(browser, shot)
        equal(browser.errors(), [], "errors")
        browser.open(page, "#0x1af")
        holds(browser.ask(STATUS), '"_BEG_"', "an address with a place")
        large(browser, binfmt, shot)
        pictures(browser, binfmt, shot)
        equal(browser.errors(), [], "errors")
    print(f"the pages are as they should be; screenshots in {shots}")


if __name__ == "__main__":
    main()
