"""One file a kind of image; each has draw(dice), which returns a draw.Page."""
from pages import columns, form, kana, large, mixed, numbers, receipt, screenshot, sign, slide, small, table

# In the order in which images take turns.
KINDS = {module.__name__.removeprefix("pages."): module.draw
         for module in (receipt, form, slide, screenshot, sign, columns, table, small, large, numbers, mixed, kana)}
