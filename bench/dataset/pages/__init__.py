"""One file per kind of page, with draw(dice), which returns a draw.Page."""
from pages import columns, form, kana, large, mixed, numbers, receipt, screenshot, sign, slide, small, table

# Image number n is of kind (n - 1) % len(KINDS).
KINDS = {module.__name__.removeprefix("pages."): module.draw
         for module in (receipt, form, slide, screenshot, sign, columns, table, small, large, numbers, mixed, kana)}
