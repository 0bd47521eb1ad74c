"""A page under work: draws text and keeps what was written where."""
import dataclasses
import re

from PIL import Image, ImageDraw

import fonts

# A line's box stands this share of the type size off its ink, as a detector's boxes do.
MARGIN = 0.2
# In a table detectors leave more room round a cell's text.
CELL_MARGIN = 0.35


@dataclasses.dataclass
class Line:
    text: str
    quad: list  # four (x, y), px, clockwise from the text's own top left


@dataclasses.dataclass
class Style:
    """The faces of a page, regular and bold, by the names of fonts.FACES."""
    body: str
    bold: str

    @staticmethod
    def pick(dice, language):
        """Chinese faces for all but purely English pages: they have Latin letters, too."""
        if language == "en":
            return Style(*dice.pick((("dejavu", "dejavu_bold"), ("plain", "plain_bold"), ("roman", "roman_bold"))))
        choices = [("sans", "sans_bold"), ("serif", "serif_bold"), ("kai", "kai")]
        return Style(*dice.pick(choices if language == "zh" else choices[:2]))


def width_of(text, face, size):
    return fonts.face(face, size).getlength(text)


def fitting_size(text, face, size, width):
    """The size, or the next smaller one at which text is no wider than width."""
    while width_of(text, face, size) > width:
        size -= 1
    return size


def wrap(text, face, size, width):
    """The text in lines no wider than width: broken between Chinese characters and beside Latin words."""
    lines = [""]
    for word in re.findall(r"[!-~]+|.", text):
        # Closing punctuation may hang over the edge rather than begin a line.
        if width_of(lines[-1] + word, face, size) <= width or word in " ，。、；：！？）":
            lines[-1] += word
        else:
            lines.append(word)
    return [line.strip() for line in lines]


class Page:
    def __init__(self, width, height, paper=(255, 255, 255)):
        self.image = Image.new("RGB", (width, height), paper)
        self.pen = ImageDraw.Draw(self.image)
        self.paper = paper
        self.width = width
        self.margin = MARGIN
        self.lines = []
        self.smallest_size = 1000  # px, of all type so far
        self.on_screen = False  # nothing that a camera sees: never turned or noisy

    def text(self, x, y, text, face, size, ink=(20, 20, 24), align="left"):
        """Writes one line with its baseline at y; x is its left end, centre or right end. Returns its right end."""
        for character in text:
            if not fonts.has_glyph(face, character):
                raise ValueError(f"draw: face '{face}' has no '{character}' (in '{text}')")
        font = fonts.face(face, size)
        anchor = {"left": "ls", "center": "ms", "right": "rs"}[align]
        pad = size
        left, top, right, bottom = (round(v) for v in font.getbbox(text, anchor=anchor))
        mask = Image.new("L", (right - left + 2 * pad, bottom - top + 2 * pad))
        ImageDraw.Draw(mask).text((pad - left, pad - top), text, 255, font, anchor=anchor)
        at_x, at_y = round(x) + left - pad, round(y) + top - pad
        ink_left, ink_top, ink_right, ink_bottom = mask.getbbox()
        # Ascender to descender, whatever letters the line happens to have; digits and capitals have no descender.
        like = "国" if any(c >= "\u2e80" for c in text) else "Hg" if any(c.islower() for c in text) else "H"
        usual = font.getbbox(like, anchor="ls")
        margin = self.margin * size
        box = (at_x + ink_left - margin, min(at_y + ink_top, round(y) + usual[1]) - margin,
               at_x + ink_right + margin, max(at_y + ink_bottom, round(y) + usual[3]) + margin)
        if box[0] < 0 or box[1] < 0 or box[2] > self.width or box[3] > self.image.height:
            raise ValueError(f"draw: '{text}' at {box} leaves the page of {self.image.size}")
        self.image.paste(ink, (at_x, at_y), mask)
        self.lines.append(Line(text, [(box[0], box[1]), (box[2], box[1]), (box[2], box[3]), (box[0], box[3])]))
        self.smallest_size = min(self.smallest_size, size)
        return at_x + ink_right

    def paragraph(self, x, y, text, face, size, width, ink=(20, 20, 24), pitch=1.6):
        """Writes text in lines from the baseline y on; returns the baseline after the last."""
        for line in wrap(text, face, size, width):
            self.text(x, y, line, face, size, ink)
            y += round(size * pitch)
        return y

    def cut(self, height):
        """Cuts the page off at the bottom; returns it."""
        self.image = self.image.crop((0, 0, self.width, round(height)))
        return self
