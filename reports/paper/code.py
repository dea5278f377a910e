"""What is printed of a paper's code: the streams behind it, and the words for reachability, parts
and blame. All of it is read from the bundle, as everything on paper is."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

import attrs
import orjson

from ledger.values import parse_instant
from ledger.vocabulary import NO_RUN, PROBE_RESULTS, RAN
from reports.paper.document import Json, Paper
from reports.words import counted, reading_words

KINDS = ("paper", "repository", "label", "sample", "probe")
"""The kinds of streams that facts about a paper stand in, in the order of their places."""
SHOWN_DIGITS = 16

WORDS: Mapping[str, str] = MappingProxyType(
    {
        "paper-registered": "registered",
        "paper-described": "described",
        "abstract-quoted": "abstract quoted",
        "archive-entry-read": "archive’s entry read",
        "run-counts-read": "a record’s counts read",
        "caveat-stated": "caveat stated",
        "repository-listed": "repository listed",
        "repository-registered": "registered",
        "repository-labelled": "label read",
        "sample-harvested": "harvested",
        "sample-run-read": "outcome read",
        "probe-window-opened": "opened",
        "link-probed": "link probed",
        "probe-window-closed": "closed",
    }
)


@attrs.frozen
class Behind:
    """A stream behind a paper: what it is of, and the positions of those of its events that bear on
    the paper."""

    kind: str
    name: str
    positions: Sequence[int]


def behind_in(paper: Paper) -> list[Behind]:
    """The streams behind a paper's facts: its own, then repositories, labels, samples, windows."""
    streams: dict[str, list[int]] = {}
    probes = _probes_shown(paper)
    for event in paper.document["events"]:
        stored = orjson.loads(event["stored"])
        is_probe = str(stored["type"]).startswith("link-probed/")
        if not is_probe or event["position"] in probes:
            streams.setdefault(stored["stream"], []).append(event["position"])
    names = dict(_names(paper))
    found = [
        Behind(kind, names.get(stream, _named(stream)), positions)
        for stream, positions in streams.items()
        if (kind := stream.partition(":")[0]) in KINDS
    ]
    return sorted(found, key=lambda one: (KINDS.index(one.kind), one.positions[0]))


def _probes_shown(paper: Paper) -> set[int]:
    reached = (one["reachability"] for one in paper.shows["repositories"])
    return {one["position"] for one in reached if one}


def _names(paper: Paper) -> Iterator[tuple[str, str]]:
    yield from paper.document["names"].items()
    for one in paper.shows["repositories"]:
        yield f"repository:{one['repository']}", one["name"]
        for label in one["labels"]:
            yield f"label:{label['id']}", f"{one['name']}, by {label['asserted_by']['name']}"
    for one in paper.shows["windows"]:
        yield f"probe:{one['window']}", one["subject"]


def _named(stream: str) -> str:
    """The name of what the page itself does not name."""
    kind, _, name = stream.partition(":")
    return name[1:] if kind == "sample" else name


def repository_names(paper: Paper) -> Mapping[str, str]:
    """Repositories as their hosts write them, by slug."""
    if paper.kind != "paper":
        return {}
    return {one["repository"]: one["name"] for one in paper.shows["repositories"]}


# --- words ------------------------------------------------------------------------------------


def reach_words(reached: Json | None) -> str:
    """What a probe found; nothing where there was none."""
    if reached is None:
        return ""
    why = f" ({reached['cause']})" if reached["cause"] else ""
    probed = reading_words(parse_instant(reached["probed_at"]))
    return f"{PROBE_RESULTS[reached['result']]}{why}, probed {probed}"


def part_words(part: Json) -> str:
    """One part of a record by label."""
    count = part["repositories"]
    where = "" if count is None else f" from {counted(count, 'repository', 'repositories')}"
    ran = "" if part["ran"] is None else f", {part['ran']} ran"
    return f"{part['name']}: {counted(part['harvested'], 'sample')}{where}{ran}"


def blamed_words(whom: str | None) -> str:
    """Whom an outcome blames."""
    if whom is None:
        return "not known"
    return whom if whom == "nobody" else f"the {whom}"


def outcomes_in(record: Json, vocabulary: Json) -> Iterator[tuple[str, int | None, str]]:
    """What became of a record's samples: each outcome with its number and whom it blames."""
    names = vocabulary["outcomes"]
    for outcome in RAN:
        found = record["outcomes"][outcome]
        yield names[outcome]["name"], found["count"], blamed_words(found["blames"])
    yield names[NO_RUN]["name"], record["no_run"], blamed_words(names[NO_RUN]["blames"])
    if record["not_told"]:
        yield "not told sample by sample", record["not_told"], blamed_words(None)


def subject_words(subject: Json) -> str:
    """A label or a sample that a decision touched, as people know it."""
    name = subject["name"]
    if subject["kind"] == "sample":
        return f"sample {name[:SHOWN_DIGITS]}"
    return f"the label of {name}"
