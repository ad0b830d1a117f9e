"""A month, and the times of a day, as tables to look at; an answer to them is typed."""

from __future__ import annotations

import calendar

from babel.dates import get_day_names
from rich.table import Table
from rich.text import Text

from channels.terminal.payload import days, times
from core.cards import Picker
from core.values import locale_of, month_name

_TIMES_IN_A_ROW = 6


def month(drawn: Picker, locale: str) -> Table | None:
    """The month that a card shows, a dot for each day that does not fit; None without days."""
    offered = days(drawn)
    if not offered:
        return None
    known = locale_of(locale)
    weeks = calendar.Calendar(known.first_week_day)
    table = Table(
        box=None,
        padding=(0, 1, 0, 0),
        title=month_name(drawn.month, locale),
        title_style="bold",
        header_style="dim",
    )
    names = get_day_names("abbreviated", "stand-alone", known)
    for weekday in weeks.iterweekdays():
        table.add_column(names[weekday].rstrip("."), justify="right", min_width=3)
    year, number = (int(part) for part in drawn.month.split("-"))
    for week in weeks.monthdayscalendar(year, number):
        table.add_row(*(_day(one, one in offered) for one in week))
    return table


def _day(number: int, offered: bool) -> Text:
    if not number:
        return Text("")
    return Text(str(number), style="cyan") if offered else Text("·", style="dim")


def clock(drawn: Picker) -> Table | None:
    """The hours or minutes that a card shows, in rows; None where it shows none."""
    offered = times(drawn)
    if not offered:
        return None
    table = Table.grid(padding=(0, 3, 0, 0))
    for _ in range(_TIMES_IN_A_ROW):
        table.add_column(justify="right", style="cyan")
    for start in range(0, len(offered), _TIMES_IN_A_ROW):
        table.add_row(*offered[start : start + _TIMES_IN_A_ROW])
    return table
