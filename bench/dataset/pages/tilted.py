"""A receipt, a table or a form that lies askew by up to 5 degrees."""
from pages import fields, form, receipt, table


def draw(dice):
    page = dice.pick((receipt, form, table, fields)).draw(dice)
    page.max_turn_deg, page.is_always_turned = 5.0, True
    return page
