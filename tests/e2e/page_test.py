"""The page of `inkread serve` in a headless Chromium, as wide as a desktop and as a phone; run by a Python that has
requirements.txt. With INKREAD_SCREENSHOTS=DIR it leaves its pictures there."""
import base64
import json
import os
import pathlib
import shutil
import sys
import tempfile

import PIL.Image
import PIL.ImageDraw
import PIL.ImageFont
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

import serving
import support

RECEIPT = support.ROOT / "samples" / "receipt.png"
WAIT_S = 30
BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")

# Puts a file into a drop or paste event, which a driver cannot make.
GIVE_FILE = """
const [kind, name, base64, done] = arguments;
const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
const data = new DataTransfer();
data.items.add(new File([bytes], name));
const init = { bubbles: true, cancelable: true };
document.getElementById("view").dispatchEvent(kind === "drop" ? new DragEvent("drop", { ...init, dataTransfer: data })
  : new ClipboardEvent("paste", { ...init, clipboardData: data }));
done();
"""


class PageCase(support.Case):
    width, height = 1280, 900

    @classmethod
    def setUpClass(cls):
        cls.server = serving.Server()
        cls.addClassCleanup(cls.server.__exit__)
        cls.lines = support.read("--json", "--words", str(RECEIPT)).json()["images"][0]["lines"]
        folder = tempfile.TemporaryDirectory(prefix="inkread_page_", ignore_cleanup_errors=True)
        cls.addClassCleanup(folder.cleanup)
        cls.downloads = pathlib.Path(folder.name)
        cls.browser = cls.open_browser()
        cls.addClassCleanup(cls.browser.quit)

    def setUp(self):
        super().setUp()
        self.browser.get(self.server.url)
        self.browser.get_log("browser")
        self.wait(lambda: "tiny" in self.text("model"))

    @classmethod
    def open_browser(cls):
        options = webdriver.ChromeOptions()
        options.binary_location = BROWSER
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                         f"--user-data-dir={cls.downloads / 'profile'}"):
            options.add_argument(argument)
        options.add_experimental_option("prefs", {"download.default_directory": str(cls.downloads)})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        # A desktop's window has a least width; the metrics of a phone have none.
        if cls.width < 500:
            options.add_experimental_option("mobileEmulation", {
                "deviceMetrics": {"width": cls.width, "height": cls.height, "pixelRatio": 1.0, "touch": True}})
        browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
        browser.set_script_timeout(WAIT_S)
        if cls.width >= 500:
            browser.set_window_size(cls.width, cls.height)
        return browser

    def wait(self, is_true):
        WebDriverWait(self.browser, WAIT_S, 0.05).until(lambda _: is_true())

    def element(self, name):
        return self.browser.find_element(By.ID, name)

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def text(self, name):
        return self.element(name).text

    def rect(self, element):
        """Where the element is drawn; WebElement.rect knows no transforms."""
        return self.script("return arguments[0].getBoundingClientRect().toJSON()", element)

    def script(self, text, *arguments):
        return self.browser.execute_script(text, *arguments)

    def is_idle(self):
        return not self.script("return document.body.getAttribute('aria-busy')")

    def line_texts(self):
        return self.script("return [...document.querySelectorAll('#lines li')].map((item) => item.textContent)")

    def choose(self, path):
        self.element("file").send_keys(str(path))
        self.wait(lambda: self.is_idle() and "read in" in self.text("status"))
        self.wait(lambda: self.element("stage").is_displayed())

    def give(self, kind, path):
        self.script("document.getElementById('lines').replaceChildren(); document.getElementById('status').textContent = ''")
        self.browser.execute_async_script(GIVE_FILE, kind, path.name, base64.b64encode(path.read_bytes()).decode())
        self.wait(lambda: self.is_idle() and "read in" in self.text("status"))

    def keep_screenshot(self, name):
        if folder := os.environ.get("INKREAD_SCREENSHOTS"):
            self.browser.save_screenshot(str(pathlib.Path(folder) / f"{name}_{self.width}.png"))

    def check_no_complaints(self):
        """Neither the policy nor a script had anything to complain of."""
        complaints = [entry for entry in self.browser.get_log("browser") if entry["level"] == "SEVERE"]
        self.assertEqual(complaints, [])

    def check_fits(self):
        self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), self.width)


class DesktopTest(PageCase):

    def test_an_image_is_shown_with_its_lines(self):
        self.keep_screenshot("empty")
        self.choose(RECEIPT)
        self.assertEqual(self.line_texts(), [line["text"] for line in self.lines])
        self.assertEqual(len(self.all("#boxes .line")), len(self.lines))
        self.assertEqual(len(self.all("#boxes .word")), sum(len(line["words"]) for line in self.lines))
        points = self.all("#boxes .line")[0].get_attribute("points")
        self.assertEqual(points, " ".join(f"{x},{y}" for x, y in self.lines[0]["quad"]))
        self.element("details").find_element(By.TAG_NAME, "summary").click()
        self.assertIn("recogniser", self.text("times"))
        self.check_fits()
        self.keep_screenshot("receipt")
        self.check_no_complaints()

    def test_boxes_lie_on_the_image(self):
        self.choose(RECEIPT)
        image, box = self.rect(self.element("picture")), self.rect(self.all("#boxes .line")[0])
        scale = image["width"] / 640
        left = min(x for x, _ in self.lines[0]["quad"])
        top = min(y for _, y in self.lines[0]["quad"])
        self.assertAlmostEqual(box["x"], image["x"] + left * scale, delta=2)
        self.assertAlmostEqual(box["y"], image["y"] + top * scale, delta=2)
        view = self.rect(self.element("view"))
        self.assertLessEqual(image["height"], view["height"] + 1)

    def hot(self):
        return self.script("return [...document.querySelectorAll('.hot')].map((e) => `${e.tagName} ${e.dataset.line}`)")

    def test_pointing_at_a_line_marks_its_box_and_the_other_way_round(self):
        self.choose(RECEIPT)
        ActionChains(self.browser).move_to_element(self.all("#lines li")[3]).perform()
        self.wait(lambda: "LI 3" in self.hot() and "polygon 3" in self.hot())
        ActionChains(self.browser).move_to_element(self.all("#boxes .line")[5]).perform()
        self.wait(lambda: "LI 5" in self.hot() and "polygon 5" in self.hot() and "LI 3" not in self.hot())
        self.keep_screenshot("pointed")

    def test_zoom_and_pan(self):
        self.choose(RECEIPT)
        width = self.rect(self.element("picture"))["width"]
        self.element("zoom-in").click()
        self.assertAlmostEqual(self.rect(self.element("picture"))["width"], width * 1.25, delta=2)
        self.element("view").send_keys("+")
        self.assertAlmostEqual(self.rect(self.element("picture"))["width"], width * 1.25 ** 2, delta=2)
        left = self.rect(self.element("picture"))["x"]
        self.element("view").send_keys(Keys.ARROW_LEFT)
        self.assertAlmostEqual(self.rect(self.element("picture"))["x"], left + 60, delta=2)
        ActionChains(self.browser).drag_and_drop_by_offset(self.element("view"), 30, 40).perform()
        self.assertAlmostEqual(self.rect(self.element("picture"))["x"], left + 90, delta=3)
        self.script("document.getElementById('view').dispatchEvent(new WheelEvent('wheel', {deltaY: -200, cancelable: true}))")
        self.assertGreater(self.rect(self.element("picture"))["width"], width * 1.25 ** 2)
        self.element("fit").click()
        self.assertAlmostEqual(self.rect(self.element("picture"))["width"], width, delta=2)

    def test_the_keyboard_goes_through_the_lines(self):
        self.choose(RECEIPT)
        self.all("#lines li")[0].send_keys(Keys.ARROW_DOWN)
        focused = "return document.activeElement.dataset.line"
        self.assertEqual(self.script(focused), "1")
        self.browser.switch_to.active_element.send_keys(Keys.END)
        self.assertEqual(self.script(focused), str(len(self.lines) - 1))
        self.assertIn(f"polygon {len(self.lines) - 1}", self.hot())
        # From the top of the page every control is reached, and the lines take one stop.
        self.script("document.activeElement.blur()")
        reached = []
        for _ in range(25):
            ActionChains(self.browser).send_keys(Keys.TAB).perform()
            reached.append(self.script("return document.activeElement.id || document.activeElement.tagName"))
        for name in ("file", "camera", "profile", "zoom-in", "fit", "show-words", "view", "copy", "save-json", "save-pdf"):
            self.assertIn(name, reached)
        self.assertEqual(reached.count("LI"), 1)

    def test_everything_has_a_name_for_a_screen_reader(self):
        self.choose(RECEIPT)
        for element in self.all("button, input, select, [tabindex], section, ol, [role]"):
            if element.is_displayed():
                name = element.accessible_name or element.text
                self.assertTrue(name, element.get_attribute("outerHTML")[:100])
        self.assertIn("640 by 800", self.element("picture").get_attribute("alt"))
        self.assertEqual(self.element("status").get_attribute("aria-live"), "polite")

    def test_copy_takes_all_or_what_is_selected(self):
        self.browser.execute_cdp_cmd("Browser.grantPermissions", {
            "origin": self.server.url, "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
        self.choose(RECEIPT)
        clipboard = "navigator.clipboard.readText().then(arguments[0], (error) => arguments[0](String(error)))"
        self.element("copy").click()
        self.wait(lambda: self.text("status") == "Copied.")
        expected = "".join(line["text"] + "\n" for line in self.lines)
        self.assertEqual(self.browser.execute_async_script(clipboard), expected)
        self.script("getSelection().selectAllChildren(document.querySelectorAll('#lines li')[1])")
        self.wait(lambda: self.text("copy") == "Copy selection")
        self.element("copy").click()
        self.wait(lambda: self.browser.execute_async_script(clipboard).strip() == self.lines[1]["text"])

    def test_downloads(self):
        self.choose(RECEIPT)
        for button, name in (("save-json", "receipt.json"), ("save-text", "receipt.txt"),
                             ("save-pdf", "receipt.searchable.pdf")):
            self.element(button).click()
            self.wait(lambda: (self.downloads / name).exists())
        document = json.loads((self.downloads / "receipt.json").read_text())
        self.assertEqual([line["text"] for line in document["images"][0]["lines"]],
                         [line["text"] for line in self.lines])
        self.assertEqual((self.downloads / "receipt.txt").read_text(), "".join(line["text"] + "\n" for line in self.lines))
        self.assertEqual((self.downloads / "receipt.searchable.pdf").read_bytes()[:5], b"%PDF-")

    def test_drop_and_paste(self):
        for kind in ("drop", "paste"):
            self.give(kind, RECEIPT)
            self.assertEqual(self.line_texts(), [line["text"] for line in self.lines], kind)
        self.check_no_complaints()

    def test_text_of_an_image_is_only_text(self):
        image = PIL.Image.new("RGB", (1000, 160), "white")
        font = PIL.ImageFont.load_default(40)
        PIL.ImageDraw.Draw(image).text((20, 50), "<img src=x onerror=alert(1)> <b>bold</b>", "black", font)
        path = self.folder / "<b>name.png"
        image.save(path)
        self.choose(path)
        self.assertIn("<b>bold</b>", "".join(self.line_texts()))
        self.assertEqual(self.all("#lines b, #lines img, header b, #status b"), [])
        self.check_no_complaints()

    def test_doubtful_words_are_marked(self):
        image = PIL.Image.open(support.ROOT / "samples" / "receipt.png").convert("L").resize((200, 250)).resize((640, 800))
        path = self.folder / "blurred.png"
        image.save(path)
        self.choose(path)
        marks = self.all("#lines mark")
        self.assertGreater(len(marks), 0)
        self.assertEqual(len(marks), len(self.all("#boxes .word.doubtful")))
        self.assertIn(f"{len(marks)} word", self.text("doubts"))
        self.assertRegex(marks[0].get_attribute("title"), r"score \d+ %")
        self.keep_screenshot("doubtful")

    def test_a_pdf_has_pages(self):
        for name in ("receipt", "screen"):
            shutil.copy(support.ROOT / "samples" / f"{name}.png", self.folder)
        run = support.read("--pdf", "--out", "two.pdf", "receipt.png", "screen.png", cwd=self.folder)
        self.assertEqual(run.code, 0, run)
        self.choose(self.folder / "two.pdf")
        self.assertEqual(self.text("page-number"), "Page 1 of 2")
        first = self.line_texts()
        self.element("next").click()
        self.wait(lambda: self.text("page-number") == "Page 2 of 2" and self.line_texts() != first)
        self.assertFalse(self.element("next").is_enabled())
        self.wait(lambda: self.script("return document.getElementById('picture').naturalWidth") > 0)
        self.keep_screenshot("pdf")
        self.check_no_complaints()

    def test_what_is_no_image_is_told(self):
        path = self.put("note.txt", b"hello")
        self.element("file").send_keys(str(path))
        self.wait(lambda: self.element("problem").is_displayed())
        self.assertIn("neither an image nor a PDF", self.text("problem"))

    def test_profile_is_sent(self):
        self.choose(RECEIPT)
        self.script("performance.clearResourceTimings()")
        self.element("profile").send_keys("fast960")
        name = "return performance.getEntriesByType('resource').map((entry) => entry.name).join(' ')"
        self.wait(lambda: "profile=fast960" in self.script(name))
        self.wait(self.is_idle)

    def test_a_token_is_asked_for(self):
        token = self.put("token", b"secret\n")
        with serving.Server("--token-file", str(token)) as server:
            self.browser.get(server.url)
            self.wait(lambda: self.element("token-form").is_displayed())
            self.element("token").send_keys("secret", Keys.ENTER)
            self.wait(lambda: "tiny" in self.text("model"))
            self.choose(RECEIPT)
            self.assertEqual(self.line_texts(), [line["text"] for line in self.lines])

    def test_dark_mode(self):
        self.choose(RECEIPT)
        light = self.script("return getComputedStyle(document.body).backgroundColor")
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                     {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
        dark = self.script("return getComputedStyle(document.body).backgroundColor")
        self.assertGreater(int(light.split("(")[1].split(",")[0]), 200)
        self.assertLess(int(dark.split("(")[1].split(",")[0]), 60)
        self.keep_screenshot("dark")
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


class PhoneTest(PageCase):
    width, height = 390, 844

    def test_the_page_is_as_wide_as_the_phone(self):
        self.check_fits()
        self.keep_screenshot("empty")
        self.choose(RECEIPT)
        self.check_fits()
        self.assertEqual(self.line_texts(), [line["text"] for line in self.lines])
        image, text = self.element("image-pane").rect, self.element("text-pane").rect
        self.assertGreaterEqual(text["y"], image["y"] + image["height"])  # one below the other
        for element in self.all("button, .button, select"):
            if element.is_displayed():
                self.assertGreaterEqual(element.rect["height"], 30, element.get_attribute("outerHTML")[:80])
        self.keep_screenshot("receipt")
        self.script("document.getElementById('text-pane').scrollIntoView()")
        self.keep_screenshot("text")
        self.check_no_complaints()


if __name__ == "__main__":
    if not BROWSER or not DRIVER:
        print("skipped: no chromium or no chromedriver (Debian: chromium, chromium-driver)")
        sys.exit(support.SKIPPED)
    support.main()
