"""Twenty small tasks kept aside: never looked at while the search was built."""

from __future__ import annotations

from tasks_known import Example

TRIPS = (
    """
trips = pd.DataFrame({
    "bike": ["b1", "b2", "b1", "b3", "b2", "b1", "b3", "b2"],
    "start": ["2025-05-01 08:00", "2025-05-01 09:30", "2025-05-02 17:15", "2025-05-03 12:00",
              "2025-05-05 07:45", "2025-05-05 18:20", "2025-05-10 10:00", "2025-05-11 15:30"],
    "end": ["2025-05-01 08:25", "2025-05-01 10:40", "2025-05-02 17:50", "2025-05-03 13:30",
            "2025-05-05 08:00", "2025-05-05 19:05", "2025-05-10 12:10", "2025-05-11 15:55"],
    "km": [4.2, 11.0, 6.1, 18.4, 2.5, 7.9, 25.0, 3.3],
    "member": [True, False, True, False, True, True, False, False],
})
""",
    """
trips = pd.DataFrame({
    "bike": ["x", "y", "y", "z", "x"],
    "start": ["2024-09-07 06:10", "2024-09-07 11:00", "2024-09-09 16:30", "2024-09-10 09:00",
              "2024-09-14 20:00"],
    "end": ["2024-09-07 06:40", "2024-09-07 11:15", "2024-09-09 18:00", "2024-09-10 09:50",
            "2024-09-14 21:20"],
    "km": [5.5, 2.0, 14.7, 8.8, 16.2],
    "member": [False, True, True, False, True],
})
""",
)
FILMS = (
    """
films = pd.DataFrame({
    "title": ["Alba", "Brio", "Corda", "Duna", "Eco", "Fiume"],
    "genres": ["drama|crime", "comedy", "drama", "comedy|drama", "crime", "comedy|crime"],
    "year": [1999, 2004, 2004, 2011, 2011, 2020],
    "score": [7.1, 6.4, 8.2, 5.9, 7.7, 6.8],
    "votes": [120, 300, 80, 45, 210, 150],
})
""",
    """
films = pd.DataFrame({
    "title": ["Gala", "Heim", "Iris", "Juno", "Kilo"],
    "genres": ["war", "drama|war", "comedy|war", "drama", "comedy"],
    "year": [2001, 1987, 2001, 2015, 1987],
    "score": [6.0, 8.8, 7.3, 6.6, 9.1],
    "votes": [10, 400, 95, 230, 60],
})
""",
)
PATIENTS = (
    """
patients = pd.DataFrame({
    "id": [1, 2, 3, 4, 5, 6],
    "born": ["1950-03-02", "1988-11-30", "2001-06-15", "1975-01-09", "1999-12-31", "1962-08-20"],
    "weight": [82.0, 64.5, 71.0, np.nan, 58.0, 95.0],
    "height": [1.78, 1.66, 1.81, 1.70, 1.60, 1.75],
    "ward": ["A", "B", "A", "C", "B", "A"],
})
""",
    """
patients = pd.DataFrame({
    "id": [7, 8, 9, 10],
    "born": ["1990-02-14", "1945-07-07", "1990-10-10", "2010-05-05"],
    "weight": [np.nan, 77.0, 60.0, 41.0],
    "height": [1.92, 1.69, 1.72, 1.48],
    "ward": ["C", "C", "D", "A"],
})
""",
)
STOCK = (
    """
prices = pd.DataFrame({
    "day": pd.to_datetime(["2025-03-03", "2025-03-04", "2025-03-05", "2025-03-06", "2025-03-07",
                           "2025-03-10"]),
    "acme": [10.0, 10.5, 9.8, 10.2, 11.0, 11.6],
    "bolt": [50.0, 49.0, 49.5, 52.0, 51.0, 53.0],
})
""",
    """
prices = pd.DataFrame({
    "day": pd.to_datetime(["2023-01-02", "2023-01-03", "2023-01-04", "2023-01-05"]),
    "acme": [3.0, 2.7, 3.3, 3.6],
    "bolt": [8.0, 8.4, 8.2, 9.0],
})
""",
)
SENSOR = (
    "signal = np.array([3.0, -1.0, 4.0, 1.0, -5.0, 9.0, 2.0, -6.0])",
    "signal = np.array([-2.0, 7.0, 1.0, -8.0, 2.0, 8.0])",
)
CLUBS = (
    """
members = pd.DataFrame({"name": ["Ola", "Pia", "Rui", "Sam", "Tea"], "club": [1, 2, 1, 3, 9]})
clubs = pd.DataFrame({"club": [1, 2, 3, 4], "sport": ["chess", "judo", "golf", "yoga"]})
""",
    """
members = pd.DataFrame({"name": ["Abe", "Bea", "Cai"], "club": [5, 7, 5]})
clubs = pd.DataFrame({"club": [5, 6], "sport": ["polo", "surf"]})
""",
)

EXAMPLES = (
    Example(
        "minutes of each trip",
        "Add a column minutes with the length of each trip in minutes.",
        'trips.assign(minutes=(pd.to_datetime(trips["end"]) - pd.to_datetime(trips["start"]))'
        ".dt.total_seconds() / 60)",
        *TRIPS,
    ),
    Example(
        "km of members",
        "Total km of trips by members.",
        'trips.loc[trips["member"], "km"].sum()',
        *TRIPS,
    ),
    Example(
        "longest trip of each bike",
        "The longest trip in km of each bike, longest first.",
        'trips.groupby("bike")["km"].max().sort_values(ascending=False)',
        *TRIPS,
    ),
    Example(
        "trips by weekday",
        "Number of trips on each day of the week (Monday, Tuesday and so on).",
        'pd.to_datetime(trips["start"]).dt.day_name().value_counts()',
        *TRIPS,
    ),
    Example(
        "bikes used often",
        "List of the bikes with more than 2 trips, sorted.",
        'sorted(trips["bike"].value_counts()[lambda s: s > 2].index)',
        *TRIPS,
    ),
    Example(
        "count of each genre",
        "How often does each genre occur? The genres are divided by |.",
        'films["genres"].str.split("|").explode().value_counts()',
        *FILMS,
    ),
    Example(
        "best film of each year",
        "For each year the title of the film with the highest score, as a table with the columns "
        "year and title.",
        'films.loc[films.groupby("year")["score"].idxmax(), ["year", "title"]]'
        ".reset_index(drop=True)",
        *FILMS,
    ),
    Example(
        "score weighted by votes",
        "Average score weighted by votes, rounded to 2 decimals.",
        'round((films["score"] * films["votes"]).sum() / films["votes"].sum(), 2)',
        *FILMS,
    ),
    Example(
        "title with year",
        "Series of labels such as Alba (1999), made of title and year.",
        'films["title"] + " (" + films["year"].astype(str) + ")"',
        *FILMS,
    ),
    Example(
        "films by decade",
        "Mean score and number of films of each year, in columns mean_score and films.",
        'films.groupby("year").agg(mean_score=("score", "mean"), films=("title", "count"))'
        ".reset_index()",
        *FILMS,
    ),
    Example(
        "body mass index",
        "Add a column bmi: weight divided by height squared, rounded to 1 decimal.",
        'patients.assign(bmi=(patients["weight"] / patients["height"] ** 2).round(1))',
        *PATIENTS,
    ),
    Example(
        "three age classes",
        "Add a column class: old if born before 1960, young if born in 1995 or later, else middle.",
        'patients.assign(**{"class": np.where(patients["born"] < "1960", "old", '
        'np.where(patients["born"] >= "1995", "young", "middle"))})',
        *PATIENTS,
    ),
    Example(
        "ward with most patients",
        "Which ward has the most patients?",
        'patients["ward"].value_counts().idxmax()',
        *PATIENTS,
    ),
    Example(
        "heaviest two",
        "The ids of the 2 heaviest patients as a list, heaviest first.",
        'patients.nlargest(2, "weight")["id"].tolist()',
        *PATIENTS,
    ),
    Example(
        "daily returns",
        "Add a column ret with the daily percent change of acme.",
        'prices.assign(ret=prices["acme"].pct_change() * 100)',
        *STOCK,
    ),
    Example(
        "best day",
        "On which day was bolt highest?",
        'prices.loc[prices["bolt"].idxmax(), "day"]',
        *STOCK,
    ),
    Example(
        "long prices",
        "Long table with the columns day, stock and price.",
        'prices.melt(id_vars="day", var_name="stock", value_name="price")',
        *STOCK,
    ),
    Example(
        "negatives to zero",
        "Replace the negative values of signal by 0.",
        "np.where(signal < 0, 0, signal)",
        *SENSOR,
    ),
    Example(
        "members with a sport",
        "Number of members for each sport, 0 for sports without members, sorted by sport.",
        'clubs.merge(members, on="club", how="left").groupby("sport")["name"].count()',
        *CLUBS,
    ),
    Example(
        "members of unknown clubs",
        "Names of the members whose club is not in the table clubs, as a list.",
        'members.loc[~members["club"].isin(clubs["club"]), "name"].tolist()',
        *CLUBS,
    ),
)
