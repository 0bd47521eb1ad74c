"""One file per kind of page, with draw(dice), which returns a draw.Page."""
from pages import (article, chat, columns, contents, dense, fields, fine, form, gallery, kana, large, letter, lone,
                   mixed, newspaper, numbers, photo, receipt, scan, school, screenshot, sign, slide, small, table, tall,
                   tilted, vertical, wide)


def by_name(*modules):
    return {module.__name__.removeprefix("pages."): module.draw for module in modules}


# The kinds of the data set: image number n is of kind (n - 1) % len(KINDS).
KINDS = by_name(receipt, form, slide, screenshot, sign, columns, table, small, large, numbers, mixed, kana)
# Pages whose lines are not simply read from the top down.
LAYOUT = by_name(newspaper, article, vertical, fields, tilted, letter, contents, gallery, chat)
# Pages for which the size counts in which the detector looks at them.
SIZES = by_name(fine, school, scan, photo, lone, tall, wide)
# Kinds that are drawn only if asked for, so that the images of the data set stay as they are.
MORE_KINDS = {**by_name(dense), **LAYOUT}
# What --kind takes -> the kinds that are drawn in turn.
CHOICES = {"layout": LAYOUT, "sizes": SIZES,
           **{name: {name: draw} for name, draw in {**KINDS, **MORE_KINDS, **SIZES}.items()}}
