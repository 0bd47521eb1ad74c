"""A page: draws text and records each line with its position."""
import dataclasses
import re

from PIL import Image, ImageChops, ImageDraw

import fonts

# Distance of a line's box from its ink, as a fraction of the type size; like the boxes of a detector.
MARGIN = 0.2
# Of text that is set solid.
TIGHT_MARGIN = 0.1
# Detectors leave a wider margin around the text of a table's cell.
CELL_MARGIN = 0.35


# Han, kana, their punctuation and full-width symbols, but not full-width letters and digits: written without spaces.
OWN = r"\u2e80-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uffef"
# One of those, or a run of other characters up to a space.
WORD = re.compile(rf"[{OWN}]|[^\s{OWN}]+")


@dataclasses.dataclass
class Word:
    text: str
    quad: list  # as a line's, around the ink


@dataclasses.dataclass
class Line:
    text: str
    quad: list  # four (x, y) in px, clockwise from the text's own top left
    words: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Style:
    """The regular and the bold face of a page: names of fonts.FACES."""
    body: str
    bold: str

    @staticmethod
    def pick(dice, language):
        """Picks Chinese faces except for purely English pages; they have Latin letters too."""
        if language == "en":
            return Style(*dice.pick((("dejavu", "dejavu_bold"), ("plain", "plain_bold"), ("roman", "roman_bold"))))
        choices = [("sans", "sans_bold"), ("serif", "serif_bold"), ("kai", "kai")]
        return Style(*dice.pick(choices if language == "zh" else choices[:2]))


def width_of(text, face, size):
    return fonts.face(face, size).getlength(text)


def fitting_size(text, face, size, width):
    """The largest size up to `size`, in px, at which the text is at most `width` px wide."""
    while width_of(text, face, size) > width:
        size -= 1
    return size


def quad_of(left, top, right, bottom):
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def ink_boxes(text, font):
    """Each word of the text with the box of its ink, in px from the left end of the text's baseline."""
    pad = font.size
    left, top, right, bottom = (round(v) for v in font.getbbox(text, anchor="ls"))

    boxes, before = [], None
    for word in WORD.finditer(text):
        mask = Image.new("L", (right - left + 2 * pad, bottom - top + 2 * pad))
        ImageDraw.Draw(mask).text((pad - left, pad - top), text[:word.end()], 255, font, anchor="ls")
        # What the line has with the word but not without it.
        ink = (ImageChops.difference(mask, before) if before else mask).getbbox()
        shift_x, shift_y = left - pad, top - pad
        boxes.append((word.group(), ink[0] + shift_x, ink[1] + shift_y, ink[2] + shift_x, ink[3] + shift_y))
        before = mask
    return boxes


def wrap(text, face, size, width):
    """Splits the text into lines of at most `width` px, between Chinese characters or around Latin words."""
    lines = [""]
    for word in re.findall(r"[!-~]+|.", text):
        # Closing punctuation may exceed the width, since it must not begin a line.
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
        self.smallest_size = 1000  # px, smallest type size so far
        self.on_screen = False  # a screenshot: never rotated or noisy
        self.max_turn_deg = 3.0  # a scan may be rotated by up to this much; 0: never
        self.is_always_turned = False

    def text(self, x, y, text, face, size, ink=(20, 20, 24), align="left"):
        """Draws one line with its baseline at y; x is its left end, centre or right end. Returns its right end, px."""
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
        # The box reaches from ascender to descender whatever letters the line has. If it has digits and capitals only,
        # there is no descender.
        like = "国" if any(c >= "\u2e80" for c in text) else "Hg" if any(c.islower() for c in text) else "H"
        reference = font.getbbox(like, anchor="ls")
        margin = self.margin * size
        box = (at_x + ink_left - margin, min(at_y + ink_top, round(y) + reference[1]) - margin,
               at_x + ink_right + margin, max(at_y + ink_bottom, round(y) + reference[3]) + margin)
        if box[0] < 0 or box[1] < 0 or box[2] > self.width or box[3] > self.image.height:
            raise ValueError(f"draw: '{text}' at {box} leaves the page of {self.image.size}")
        self.image.paste(ink, (at_x, at_y), mask)
        boxes = ink_boxes(text, font)
        first_left = at_x + ink_left - min(box_left for _, box_left, *_ in boxes)  # where the baseline begins
        words = [Word(word, quad_of(x0 + first_left, y0 + round(y), x1 + first_left, y1 + round(y)))
                 for word, x0, y0, x1, y1 in boxes]
        self.lines.append(Line(text, quad_of(*box), words))
        self.smallest_size = min(self.smallest_size, size)
        return at_x + ink_right

    def paragraph(self, x, y, text, face, size, width, ink=(20, 20, 24), pitch=1.6):
        """Draws the text in lines, the first with its baseline at y; returns the baseline after the last line."""
        for line in wrap(text, face, size, width):
            self.text(x, y, line, face, size, ink)
            y += round(size * pitch)
        return y

    def vertical_text(self, x, y, text, face, size, ink=(20, 20, 24)):
        """Draws one line downwards, its characters centred at x, the first one below y. They stand upright."""
        font = fonts.face(face, size)
        pitch = size * 1.08
        mask = Image.new("L", self.image.size)
        pen = ImageDraw.Draw(mask)
        for n, character in enumerate(text):
            if not fonts.has_glyph(face, character):
                raise ValueError(f"draw: face '{face}' has no '{character}' (in '{text}')")
            pen.text((round(x), round(y + (n + 0.5) * pitch)), character, 255, font, anchor="mm")
        left, top, right, bottom = mask.getbbox()
        margin = self.margin * size
        left, right = min(left, x - size / 2) - margin, max(right, x + size / 2) + margin
        top, bottom = top - margin, bottom + margin
        if left < 0 or top < 0 or right > self.width or bottom > self.image.height:
            raise ValueError(f"draw: '{text}' at {(left, top, right, bottom)} leaves the page of {self.image.size}")
        self.image.paste(ink, (0, 0), mask)
        self.lines.append(Line(text, [(left, top), (right, top), (right, bottom), (left, bottom)]))
        self.smallest_size = min(self.smallest_size, size)

    def cut(self, height):
        """Crops the page to `height` px; returns it."""
        self.image = self.image.crop((0, 0, self.width, round(height)))
        return self
