"""Twenty small tasks that the search was built with, each with visible and hidden data.

The hidden data have the same columns and other values: a program that is right on both was not
fitted to the visible values by accident.
"""

from __future__ import annotations

from typing import NamedTuple


class Example(NamedTuple):
    """A task with its answer."""

    name: str
    task: str
    answer: str
    """An expression."""
    visible: str
    """Code that makes the data."""
    hidden: str


LOANS = (
    """
loans = pd.DataFrame({
    "reader": ["Ida", "Max", "Ida", "Lea", "Max", "Tom", "Ida"],
    "title": ["Dune", "Emma", "Faust", "Dune", "Ilias", "Emma", "Emma"],
    "taken": ["2025-01-02", "2025-01-05", "2025-01-20", "2025-02-01", "2025-02-03", "2025-02-10",
              "2025-03-01"],
    "back": ["2025-01-12", "2025-01-30", "2025-01-25", "2025-02-21", "2025-02-08", "2025-03-20",
             "2025-03-04"],
    "fee": [0.0, 1.5, 0.0, 0.5, 0.0, 3.5, 0.0],
})
""",
    """
loans = pd.DataFrame({
    "reader": ["Ben", "Ada", "Ben", "Zoe", "Ada"],
    "title": ["Emma", "Odyssee", "Faust", "Emma", "Faust"],
    "taken": ["2024-06-01", "2024-06-03", "2024-07-15", "2024-07-20", "2024-08-02"],
    "back": ["2024-06-29", "2024-06-10", "2024-07-16", "2024-08-31", "2024-08-22"],
    "fee": [2.0, 0.0, 0.0, 4.0, 1.0],
})
""",
)
STAFF = (
    """
staff = pd.DataFrame({
    "first": ["Ana", "Bo", "Cem", "Dana", "Eli"],
    "last": ["Weber", "Lund", "Kaya", "Weber", "Roth"],
    "team": ["sales", "it", "it", "sales", "hr"],
    "hours": [38, 40, 20, 35, 40],
    "rate": [21.5, 30.0, 27.0, 24.0, 26.5],
})
""",
    """
staff = pd.DataFrame({
    "first": ["Uta", "Vic", "Wim", "Xia", "Yan", "Zed"],
    "last": ["Berg", "Cole", "Dietz", "Chen", "Cole", "Frey"],
    "team": ["hr", "hr", "it", "sales", "it", "sales"],
    "hours": [40, 12, 36, 38, 25, 30],
    "rate": [20.0, 22.5, 33.0, 19.5, 41.0, 28.0],
})
""",
)
EXAMS = (
    """
exams = pd.DataFrame({
    "pupil": ["P1", "P2", "P3", "P4", "P5", "P6"],
    "school": ["East", "West", "East", "West", "East", "West"],
    "points": [91, 64, 48, 79, 85, 30],
    "credits": [4, 2, 3, 4, 1, 2],
})
""",
    """
exams = pd.DataFrame({
    "pupil": ["Q1", "Q2", "Q3", "Q4", "Q5"],
    "school": ["West", "East", "West", "East", "East"],
    "points": [55, 93, 81, 49, 66],
    "credits": [3, 5, 1, 2, 4],
})
""",
)
SHOP = (
    """
items = pd.DataFrame({
    "sku": [11, 12, 13, 11, 14, 12, 11],
    "qty": [2, 5, 1, 3, 4, 1, 1],
})
goods = pd.DataFrame({
    "sku": [11, 12, 13, 14],
    "kind": ["tea", "cup", "tea", "pot"],
    "price": [4.0, 7.5, 6.0, 20.0],
})
""",
    """
items = pd.DataFrame({"sku": [21, 23, 22, 23, 21], "qty": [1, 7, 2, 2, 6]})
goods = pd.DataFrame({
    "sku": [21, 22, 23],
    "kind": ["mug", "lid", "mug"],
    "price": [9.0, 2.5, 3.0],
})
""",
)
WEATHER = (
    """
weather = pd.DataFrame({
    "city": ["Oslo", "Rome", "Oslo", "Rome", "Oslo", "Rome"],
    "month": ["Jan", "Jan", "Feb", "Feb", "Mar", "Mar"],
    "temp": [-4.0, 8.5, -3.0, 10.0, 1.0, 13.5],
    "rain": [50.0, np.nan, 36.0, 62.0, np.nan, 57.0],
})
""",
    """
weather = pd.DataFrame({
    "city": ["Bonn", "Cork", "Cork", "Bonn"],
    "month": ["Jun", "Jun", "Jul", "Jul"],
    "temp": [19.0, 14.0, 15.5, 22.0],
    "rain": [np.nan, 80.0, 75.0, 40.0],
})
""",
)

EXAMPLES = (
    Example(
        "days between two dates",
        "Number of days that each book was out, from taken to back.",
        '(pd.to_datetime(loans["back"]) - pd.to_datetime(loans["taken"])).dt.days',
        *LOANS,
    ),
    Example(
        "texts joined",
        "Add a column name with the last name, a comma and the first name, such as Weber, Ana.",
        'staff.assign(name=staff["last"] + ", " + staff["first"])',
        *STAFF,
    ),
    Example(
        "three grades",
        "Add a column grade: A from 80 points, B from 50 points, otherwise C.",
        'exams.assign(grade=np.where(exams["points"] >= 80, "A", '
        'np.where(exams["points"] >= 50, "B", "C")))',
        *EXAMS,
    ),
    Example(
        "weighted mean",
        "The mean of points weighted by credits.",
        '(exams["points"] * exams["credits"]).sum() / exams["credits"].sum()',
        *EXAMS,
    ),
    Example(
        "group with the most",
        "Which reader paid the most fees in total?",
        'loans.groupby("reader")["fee"].sum().idxmax()',
        *LOANS,
    ),
    Example(
        "join then group",
        "Revenue (qty times price) of each kind of goods.",
        'items.merge(goods, on="sku").assign(revenue=lambda d: d["qty"] * d["price"])'
        '.groupby("kind")["revenue"].sum()',
        *SHOP,
    ),
    Example(
        "sorted list of some",
        "Alphabetical list of the pupils with less than 65 points.",
        'sorted(exams.loc[exams["points"] < 65, "pupil"])',
        *EXAMS,
    ),
    Example(
        "indicator columns",
        "One indicator column with 0 or 1 for each team.",
        'pd.get_dummies(staff["team"], dtype=int)',
        *STAFF,
    ),
    Example(
        "weighted mean of each group",
        "Average rate of each team, weighted by hours.",
        '(staff["rate"] * staff["hours"]).groupby(staff["team"]).sum() '
        '/ staff.groupby("team")["hours"].sum()',
        *STAFF,
    ),
    Example(
        "best of each group",
        "The pupil with the most points in each school, as columns school and pupil.",
        'exams.loc[exams.groupby("school")["points"].idxmax(), ["school", "pupil"]]'
        ".reset_index(drop=True)",
        *EXAMS,
    ),
    Example(
        "missing by group",
        "Fill the missing rain with the mean rain of the city.",
        'weather.assign(rain=weather["rain"].fillna('
        'weather.groupby("city")["rain"].transform("mean")))',
        *WEATHER,
    ),
    Example(
        "wide table",
        "Table of temp with one row per city and one column per month.",
        'weather.pivot(index="city", columns="month", values="temp")',
        *WEATHER,
    ),
    Example(
        "several statistics",
        "For each team the number of people called people and the highest rate called top.",
        'staff.groupby("team").agg(people=("first", "count"), top=("rate", "max")).reset_index()',
        *STAFF,
    ),
    Example(
        "share of rows",
        "What percentage of the loans had no fee?",
        '(loans["fee"] == 0).mean() * 100',
        *LOANS,
    ),
    Example(
        "pay rounded",
        "Pay of each person (hours times rate), rounded to whole numbers, highest first, with "
        "the columns first and pay.",
        'staff.assign(pay=(staff["hours"] * staff["rate"]).round())[["first", "pay"]]'
        '.sort_values("pay", ascending=False).reset_index(drop=True)',
        *STAFF,
    ),
    Example(
        "month counts",
        "How many books were taken in each month, months like 2025-01?",
        'loans.groupby(pd.to_datetime(loans["taken"]).dt.strftime("%Y-%m")).size()',
        *LOANS,
    ),
    Example(
        "above the mean of its group",
        "Rows of exams with points above the mean of their school.",
        'exams[exams["points"] > exams.groupby("school")["points"].transform("mean")]',
        *EXAMS,
    ),
    Example(
        "titles of each reader",
        "Titles that each reader took, joined by a comma and a space.",
        'loans.groupby("reader")["title"].agg(", ".join)',
        *LOANS,
    ),
    Example(
        "change in each group",
        "Add a column change with the change of temp since the previous month of the same city.",
        'weather.assign(change=weather.groupby("city")["temp"].diff())',
        *WEATHER,
    ),
    Example(
        "totals as a dict",
        "Kinds of goods as a dict from kind to the total qty sold.",
        'items.merge(goods, on="sku").groupby("kind")["qty"].sum().to_dict()',
        *SHOP,
    ),
)
