"""The analyser's pictures are well-formed, and its pages work in a real browser: light, dark, on a phone, by mouse and by keyboard.

With TIDEPOOL_SCREENSHOTS=FOLDER, the screenshots of ResNet-50 are kept there."""

import html.parser
import os
import re
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import browser

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("TIDEPOOL_ANALYZE_PAGES") or ROOT / "build/release/tests/analyze/pages/tidepool_analyze_pages")
VOID = {"meta", "link", "input", "img", "br"}
SVG = "{http://www.w3.org/2000/svg}"
folder = None


def setUpModule():
    global folder
    if not PROGRAM.exists():
        raise unittest.SkipTest("tidepool_analyze_pages is not built")
    folder = tempfile.TemporaryDirectory()
    subprocess.run([str(PROGRAM), folder.name], check=True)


def tearDownModule():
    if folder:
        folder.cleanup()


def files(pattern):
    return sorted(Path(folder.name).glob(pattern))


def file(name):
    return Path(folder.name) / name


class Balance(html.parser.HTMLParser):
    """Every element is closed in the order in which elements were opened."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.attributes, self.wrong = [], set(), [], []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> at {self.getpos()}")


def pixels(png):
    """The rows of an 8-bit PNG, without its filters undone: enough to count what differs from row to row and file to file."""
    width, height, depth, kind = struct.unpack(">IIBB", png[16:26])
    assert depth == 8 and kind in (2, 6)
    data, at = b"", 8
    while at < len(png):
        size, name = struct.unpack(">I4s", png[at:at + 8])
        if name == b"IDAT":
            data += png[at + 8:at + 8 + size]
        at += 12 + size
    raw, step = zlib.decompress(data), 1 + width * (3 if kind == 2 else 4)
    return [raw[row * step:(row + 1) * step] for row in range(height)]


class Files(unittest.TestCase):
    def test_pictures_are_well_formed_and_named(self):
        self.assertGreaterEqual(len(files("*.svg")), 16)
        for path in files("*.svg"):
            with self.subTest(name=path.name):
                root = xml.etree.ElementTree.parse(path).getroot()
                self.assertEqual(root.tag, SVG + "svg")
                self.assertEqual(root.get("role"), "img")
                self.assertTrue(root.find(SVG + "title").text)
                self.assertTrue(root.find(SVG + "desc").text)
                text = path.read_text()
                self.assertIn("prefers-color-scheme", text)
                self.assertLess(len(text), 20000)

    def test_pages_are_balanced_and_need_nothing_else(self):
        for path in files("*.html"):
            with self.subTest(name=path.name):
                text = path.read_text()
                page = Balance()
                page.feed(text)
                self.assertEqual((page.open, page.wrong), ([], []))
                self.assertFalse({"img", "iframe", "object", "base"} & page.tags)
                for name, value in page.attributes:
                    self.assertFalse(name.startswith("on") or name in ("style", "src"), name)
                    if name == "href":
                        self.assertRegex(value, r"^(#[a-z0-9]+|data:,)$")
                self.assertEqual(len(re.findall(r"\bid=\"", text)), len(set(re.findall(r"\bid=\"([^\"]+)\"", text))), "ids are unique")

    def test_resnet50_is_small(self):
        self.assertLess(file("resnet50.html").stat().st_size, 400_000)

    def test_the_same_network_gives_the_same_files(self):
        with tempfile.TemporaryDirectory() as again:
            subprocess.run([str(PROGRAM), again], check=True)
            for path in Path(again).iterdir():
                self.assertTrue(path.read_bytes() == file(path.name).read_bytes(), path.name)


@unittest.skipUnless(browser.PROGRAM, "Chromium is not installed")
class InABrowser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = browser.Browser().__enter__()
        cls.addClassCleanup(cls.browser.__exit__, None, None, None)

    def assertQuiet(self):
        self.assertEqual(self.browser.problems(), [])

    def assertFits(self):
        width, window = self.browser.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        self.assertLessEqual(width, window)

    def field(self):
        return self.browser.evaluate("[...document.querySelectorAll('#planes .tp-field path')].map((p) => p.getAttribute('d')).join(' ')")

    def test_resnet50_light_dark_and_on_a_phone(self):
        seen = {}
        sizes = {"light": {"height": 1500}, "dark": {"height": 1500, "dark": True}, "phone": {"width": 360, "height": 780}}
        for name, size in sizes.items():
            with self.subTest(name=name):
                self.browser.open(file("resnet50.html"), **size)
                self.assertFits()
                self.browser.click("#l12 td.shape")
                self.assertEqual(self.browser.evaluate("document.querySelector('#panel-name').textContent"), "bn4")
                self.assertRegex(self.field(), r"^M\d+ \d+h\d+v\d+h-\d+z$")
                self.assertTrue(self.browser.evaluate("document.querySelector('#planes svg').getBoundingClientRect().height > 100"))
                self.assertFits()
                self.assertQuiet()
                self.browser.evaluate("scrollTo(0, 0)")
                seen[name] = pixels(self.browser.screenshot())
                self.assertGreater(len(set(seen[name])), len(seen[name]) // 10, "the page is blank")
                self.keep(name)
        self.assertNotEqual(seen["light"], seen["dark"])
        light, dark = (self.background(dark=dark) for dark in (False, True))
        self.assertGreater(sum(light), 600)
        self.assertLess(sum(dark), 150)

    def background(self, dark):
        self.browser.open(file("resnet50.html"), dark=dark)
        return [int(part) for part in re.findall(r"\d+", self.browser.evaluate("getComputedStyle(document.body).backgroundColor"))[:3]]

    def keep(self, name):
        if "TIDEPOOL_SCREENSHOTS" in os.environ:
            (Path(os.environ["TIDEPOOL_SCREENSHOTS"]) / f"{name}.png").write_bytes(self.browser.screenshot())

    def test_a_click_shows_the_field_of_that_layer_and_cell(self):
        self.browser.open(file("chain.html"))
        # The 8x8 cells of the sixth layer see 22x22 cells that are 8 apart; the first begins 7 before the input.
        self.browser.click("#l6 td.field")
        self.assertEqual(self.field(), "M25 25h22v22h-22z")
        self.browser.click("#cells button:first-child")
        self.assertEqual(self.field(), "M0 0h15v15h-15z")
        self.browser.click("#cells button:last-child")
        self.assertEqual(self.field(), "M49 49h15v15h-15z")
        self.browser.click("#l1 td.field")
        self.assertEqual(self.field(), "M62 62h2v2h-2z")
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('tr.selected').length"), 1)
        self.assertQuiet()

    def test_the_keyboard_alone_is_enough(self):
        self.browser.open(file("chain.html"))
        self.browser.evaluate("document.querySelector('thead th:last-child button').focus()")
        self.browser.press("Tab", 9)
        self.assertEqual(self.browser.evaluate("document.activeElement.textContent"), "input")
        for _ in range(5):
            self.browser.press("ArrowDown", 40)
        self.browser.press("ArrowUp", 38)
        for _ in range(2):
            self.browser.press("ArrowRight", 39)
        self.assertEqual(self.browser.evaluate("document.activeElement.className"), "field")
        tip = self.browser.evaluate("document.getElementById(document.activeElement.getAttribute('aria-describedby')).textContent")
        self.assertIn("10 × 10", tip)
        self.browser.press("Enter", 13, "\r")
        self.assertEqual(self.browser.evaluate("document.querySelector('#panel-name').textContent"), "max_pool2")
        self.assertRegex(self.field(), r"h10v10")
        self.browser.press("Escape", 27)
        self.assertTrue(self.browser.evaluate("document.querySelector('#tip').hidden"))
        self.assertQuiet()

    def test_pointing_at_a_number_explains_it(self):
        self.browser.open(file("chain.html"))
        self.browser.hover("#l3 td.parameters")
        self.assertEqual(self.browser.evaluate("document.querySelector('#tip').textContent"),
                         "660 trained values: 12 × 6 × 3 × 3 weights and 12 biases.")
        self.browser.hover("h1")
        self.assertTrue(self.browser.evaluate("document.querySelector('#tip').hidden"))

    def test_links_of_the_chain_lead_to_layers(self):
        self.browser.open(file("resnet50.html"), fragment="#l173")
        self.assertEqual(self.browser.evaluate("document.querySelector('#panel-name').textContent"), "adaptive_avg_pool1")
        self.assertEqual(self.field(), "M0 0h224v224h-224z")
        self.assertEqual(self.browser.evaluate("""[...document.querySelectorAll('.scroll a')].filter(
            (link) => !document.querySelector(link.getAttribute('href'))).length"""), 0)

    def test_filter_and_order(self):
        self.browser.open(file("resnet50.html"))
        names = "[...document.querySelectorAll('tbody tr:not([hidden]) a')].map((a) => a.textContent)"
        self.browser.click("#pointwise")
        self.assertEqual(len([name for name in self.browser.evaluate(names) if re.match("bn|relu", name)]), 0)
        self.browser.evaluate("const f = document.querySelector('#filter'); f.value = '3x3'; f.dispatchEvent(new Event('input')); 0")
        self.assertEqual(len(self.browser.evaluate(names)), 16)
        self.browser.click("thead .parameters button")
        self.assertEqual(self.browser.evaluate(names)[0], "conv45")
        self.assertEqual(self.browser.evaluate("document.querySelector('thead .parameters').getAttribute('aria-sort')"), "descending")
        for _ in range(2):
            self.browser.click("thead .parameters button")
        self.assertEqual(self.browser.evaluate(names)[0], "conv3")

    def test_no_page_overflows_or_complains(self):
        for path in files("*.html"):
            for width in (1280, 900, 360):
                with self.subTest(name=path.name, width=width):
                    self.browser.open(path, width=width)
                    self.browser.click("tbody tr:last-child th")
                    self.assertFits()
                    self.assertQuiet()

    def test_hostile_names_are_text(self):
        self.browser.open(file("hostile.html"))
        for row in range(4):
            self.browser.click(f"#l{row} th")
            self.assertEqual(self.browser.evaluate("document.querySelectorAll('img, [onerror], [onload]').length"), 0)
        self.assertIn("</script><img src=x", self.browser.evaluate("document.querySelector('#l0 a').textContent"))
        self.assertQuiet()

    def test_the_policy_refuses_what_is_not_of_the_page(self):
        self.browser.open(file("chain.html"))
        self.browser.evaluate("""document.body.insertAdjacentHTML('beforeend',
            '<p id="p" style="color: red" onclick="document.title = 1">x</p>'); 0""")
        self.browser.evaluate("document.querySelector('#p').click(); 0")
        self.assertNotEqual(self.browser.evaluate("document.title"), "1")
        self.assertNotEqual(self.browser.evaluate("getComputedStyle(document.querySelector('#p')).color"), "rgb(255, 0, 0)")
        self.assertEqual(len(self.browser.problems()), 2)

    def test_labels_do_not_overlap(self):
        for path in files("*.svg"):
            with self.subTest(name=path.name):
                self.browser.open(path)
                self.assertEqual(self.browser.evaluate("""(() => {
                    const texts = [...document.querySelectorAll('text')].map((t) => [t.textContent, t.getBoundingClientRect()]);
                    const page = document.documentElement.getBoundingClientRect(), wrong = [];
                    texts.forEach(([a, p], i) => {
                        if (p.left < page.left || p.right > page.right || p.bottom > page.bottom) wrong.push('outside: ' + a);
                        texts.slice(i + 1).forEach(([b, q]) => {
                            const beside = p.right <= q.left || q.right <= p.left;
                            if (!beside && p.top + 2 < q.bottom - 2 && q.top + 2 < p.bottom - 2) wrong.push(a + ' over ' + b);
                        });
                    });
                    return wrong;
                })()"""), [])


if __name__ == "__main__":
    sys.exit(unittest.main())
