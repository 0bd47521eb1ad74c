"""One file per kind of page, with draw(dice), which returns a draw.Page."""
from pages import columns, dense, form, kana, large, mixed, numbers, receipt, screenshot, sign, slide, small, table


def by_name(*modules):
    return {module.__name__.removeprefix("pages."): module.draw for module in modules}


# The kinds of the data set: image number n is of kind (n - 1) % len(KINDS).
KINDS = by_name(receipt, form, slide, screenshot, sign, columns, table, small, large, numbers, mixed, kana)
# Kinds that are drawn only if asked for, so that the images of the data set stay as they are.
MORE_KINDS = by_name(dense)
# What --kind takes -> the kinds that are drawn in turn.
CHOICES = {name: {name: draw} for name, draw in {**KINDS, **MORE_KINDS}.items()}
