"""What a cover says: the one sentence under the title, and the facts that pin the paper down."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from ledger.values import parse_instant
from reports.paper.document import Json, Paper
from reports.paper.naming import Names, changes_of, outcome_words
from reports.words import (
    VIEW_NAMES,
    counted,
    date_words,
    instant_words,
    kind_words,
    reading_words,
    score_words,
    term_words,
)

Facts = Iterator[tuple[str, str]]

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "board": "Leaderboard with its provenance",
        "claim": "Dossier of one number",
        "paper": "Dossier of one paper: its code, and what was run of it",
        "correction": "Correction notice",
        "corrections": "Log of corrections",
    }
)
PAGES: Mapping[str, str] = MappingProxyType(
    {
        "board": "board",
        "claim": "number",
        "paper": "page",
        "correction": "notice",
        "corrections": "log",
    }
)


def lead(paper: Paper, names: Names) -> str:
    """What a reader should take away, in one sentence."""
    shows = paper.shows
    match paper.kind:
        case "board":
            return _sentence(shows["headline"])
        case "claim":
            return _sentence(_claim(paper, names))
        case "paper":
            return _sentence(_paper(shows))
        case "correction":
            return _sentence(f"{outcome_words(shows).capitalize()}: {names.about(shows)}")
        case _:
            entries = len(shows["corrections"])
            return _sentence(f"{counted(entries, 'decision')} of {shows['in_all']:,} in all")


def facts(paper: Paper, names: Names) -> Facts:
    """Label and value of each fact, those of the kind first."""
    match paper.kind:
        case "board":
            yield from _of_board(paper)
        case "claim":
            yield from _of_claim(paper)
        case "paper":
            yield from _of_paper(paper.shows)
        case "correction":
            yield from _of_correction(paper.shows, names)
        case _:
            yield from _of_log(paper, names)
    yield from _of_moment(paper)


def as_read_on(paper: Paper) -> str:
    """The moment on the clock of reading."""
    day = str(paper.subject["as_read_on"])
    if len(day) == len("2025-07-28"):
        return f"{date_words(day)}, to the end of that day (UTC)"
    return instant_words(parse_instant(day))


def _of_board(paper: Paper) -> Facts:
    subject, shows = paper.subject, paper.shows
    yield "Numbers from", VIEW_NAMES[subject["view"]]
    if shows["metric"]:
        yield "Metric", _metric(shows["metric"])
    rows = f"{len(shows['rows']):,} ranked"
    if shows["unranked"]:
        rows += f", {len(shows['unranked']):,} shown and not ranked"
    yield "Rows", f"{rows}; one for each {'claim' if subject['every_claim'] else 'model'}"


def _metric(metric: Json) -> str:
    better = "higher" if metric["higher_is_better"] else "lower"
    unit = f" in {metric['unit']}" if metric["unit"] else ""
    return f"{metric['name']}{unit}, {better} is better"


def _of_claim(paper: Paper) -> Facts:
    shows = paper.shows
    yield "Source", f"{shows['source']['name']} ({kind_words(shows['source']['kind'])})"
    if shows["held_out"]:
        yield "Not ranked", str(shows["held_out"])
    if shows["marks"]:
        yield "Marks", "; ".join(mark["text"] for mark in shows["marks"])


def _of_paper(shows: Json) -> Facts:
    paper, linked = shows["paper"], shows["repositories"]
    if paper["authors"]:
        yield "Authors", ", ".join(paper["authors"])
    if paper["arxiv_id"]:
        yield "arXiv", paper["arxiv_id"]
    if paper["published_on"]:
        yield "Published", date_words(paper["published_on"])
    if paper["address"]:
        yield "The paper itself", paper["address"]
    if shows["empty_because"] is None:
        probed = sum(one["reachability"] is not None for one in linked)
        yield "Repositories", f"{len(linked)} linked with it, {probed or 'none'} probed"
    yield "First read", reading_words(parse_instant(shows["first_read"]))


def _of_correction(entry: Json, names: Names) -> Facts:
    touched = [*entry["claims"], *entry["subjects"]]
    if len(touched) == 1:
        changes = changes_of(touched[0])
        yield (
            "Changed",
            "; ".join(names.change(touched[0], *one) for one in changes) or "nothing that shows",
        )
    what = term_words(entry["type"]) if entry["type"] else "none"
    yield "Type", f"{what}; reason: {term_words(entry['reason'])}"
    yield "Decided", f"{instant_words(parse_instant(entry['decided_at']))} by {entry['decided_by']}"
    yield "Standing", "in force" if entry["in_force"] else "no longer in force"


def _of_log(paper: Paper, names: Names) -> Facts:
    subject = paper.subject
    yield "Period", f"{date_words(subject['from'])} to {date_words(subject['to'])}, both included"
    touched = {one["benchmark"] for each in paper.shows["corrections"] for one in each["claims"]}
    if touched:
        yield "Benchmarks", ", ".join(sorted(names.called("benchmark", one) for one in touched))


def _of_moment(paper: Paper) -> Facts:
    subject = paper.subject
    yield "As read on", as_read_on(paper)
    if paper.kind in ("board", "claim", "paper"):
        then = subject["corrected"] == "then"
        yield "Corrections", "those decided by then" if then else "also those decided later"
    if subject["published_by"]:
        yield "Published by", date_words(subject["published_by"])
    yield (
        "Recorded through",
        f"position {paper.position:,}, recorded {instant_words(paper.recorded_at)}",
    )
    since = paper.document["since"]["recorded_through"]
    count = len(paper.since)
    yield "Corrections since", f"{count or 'none'}, as known at position {since['position']:,}"


def _paper(shows: Json) -> str:
    if shows["empty_because"] is not None:
        return f"Nothing shows: {shows['empty_because']}"
    for record in shows["records"]:
        return f"{record['source']['name']}: {record['sentences'][0]}"
    return "No record of runs had been read, so nothing is said of what ran"


def _claim(paper: Paper, names: Names) -> str:
    shows, rule = paper.shows, paper.document["rule"]
    statement = shows["shows"]
    if statement is None:
        return "At this moment its source does not state it"
    score, unit = statement.get("score"), statement.get("unit")
    metric = names.metric(shows["benchmark"]["slug"], statement["metric"])
    if rule is not None:
        metric, unit = rule["name"], unit or rule["unit"]
    said = score_words(score, unit) if score is not None else "no number"
    return f"{said} under {metric}, as {shows['source']['name']} states it"


def _sentence(words: str) -> str:
    return words if words.endswith(".") else f"{words}."
