"""Every address that can be read, as somebody would ask for it who looks for a report.

By what its rule can name: something of a report (``NAMING``), something else or nothing in
particular (``OTHERS``), or the whole log in hashes (``SEALED``), which any event changes. Whoever
adds an address puts it into one of these.
"""

from collections.abc import Mapping, Sequence

from tests.web.orchard import BIRCH, BOARD, TARGET, WRONG
from tests.web.undecided import NUMBER, REVIEWER

Table = Mapping[str, Sequence[str]]
"""A rule of the app → addresses under it."""

NOTICE = "/corrections/<number:number>"
LETTER = "/reports/<string(length=43):secret>"
DIGEST = "<digest:digest>"

# What could be asked for with something of the report in hand. In braces: its number, the number
# that its decision would have in the log, a digest of what was sent, what is kept of the secret,
# and another reporter's own secret.
NAMING: Table = {
    "/review/<number:number>": (
        "/review/{number}",
        "/review/{number}?view={digest}",
        "/review/{number}?done=decided",
    ),
    f"/review/<number:number>/pages/{DIGEST}/<number:page>.png": (
        "/review/{number}/pages/{digest}/1.png",
    ),
    f"/review/<number:number>/evidence/{DIGEST}": ("/review/{number}/evidence/{digest}",),
    "/api/reports/<number:number>": ("/api/reports/{number}",),
    LETTER: ("/reports/{kept}",),
    f"{LETTER}/amend": ("/reports/{kept}/amend",),
    f"{LETTER}/files/{DIGEST}": (
        "/reports/{kept}/files/{digest}",
        "/reports/{theirs}/files/{digest}",
    ),
    f"/snapshots/{DIGEST}": ("/snapshots/{digest}",),
    f"/exports/{DIGEST}.pdf": ("/exports/{digest}.pdf",),
    "/exports/jobs/<job>": ("/exports/jobs/{kept}", "/exports/jobs/{number}"),
    "/report": (
        "/report?target=corrections/{entry}",
        "/report?target=corrections/{number}",
        "/report?target=snapshots/{digest}",
    ),
    **{
        f"{NOTICE}{form}": (f"/corrections/{{entry}}{form}", f"/corrections/{{number}}{form}")
        for form in ("", *(".json", ".jsonld", ".bundle.json", ".prov.json", ".provn", ".ttl"))
    },
}

GUESSED = (
    "/reports/{number}",
    "/reports/{number}.json",
    "/reports/{digest}",
    "/review/{number}.json",
    "/review/{number}/evidence",
    "/api/reports/{number}.json",
    "/api/reports/{number}/evidence/{digest}",
    "/corrections/{number}.atom",
    "/evidence/{digest}",
    "/files/{digest}",
    "/timemap/corrections/{number}",
    "/timegate/review/{number}",
    "/timemap/reports/{kept}",
)
"""Addresses that lead to none of our views, or to one that knows nothing of the kind."""

# --- what is about something else -------------------------------------------------------------

SEARCHES = (
    "quagga",
    "wombat",
    "61.37",
    f"{NUMBER}",
    f"{NUMBER}.8",
    "contamination",
    REVIEWER,
    "69",
)
FILTERS = (
    "",
    *(f"?q={words}" for words in SEARCHES),
    "?benchmark=orchard",
    "?reason=contamination",
    "?outcome=accepted&type=correction",
    f"?decided_by={REVIEWER}",
    "?year=2025&count=1",
    "?before=3",
    "?after=1",
)
VIEWS = ("", "?view=labs", "?view=independent", "?view=all&every_claim=yes", "?metric=hours")
CITING = (".bib", ".csl.json")
PERIOD = "?from=2025-07-01&to=2025-08-20"
PAGES = {
    "/benchmarks/<slug:name>": BOARD,
    "/claims/<claim:name>": f"/claims/{BIRCH}",
    "/models/<slug:name>": "/models/birch",
    "/sources/<slug:name>": "/sources/birch-post",
}

NOTHING_OF = (
    ("papers", "slug", "2603.01234"),
    ("samples", "code", "1f0c7a5b2d9e4836"),
    ("labels", "label", f"l{'0' * 23}"),
    ("probes", "slug", "links-2026-09"),
)
"""Pages of kinds that the ledger has nothing of; asked for all the same."""

OTHERS: Table = {
    "/": ("/", *(f"/?q={words}" for words in SEARCHES)),
    "/benchmarks/<slug:slug>": (*(f"{BOARD}{view}" for view in VIEWS), "/benchmarks/meadow"),
    "/benchmarks/<slug:slug>.json": tuple(f"{BOARD}.json{view}" for view in VIEWS),
    "/benchmarks/<slug:slug>.jsonld": (f"{BOARD}.jsonld",),
    "/benchmarks/<slug:slug>.csv": tuple(f"{BOARD}.csv{view}" for view in VIEWS),
    "/claims/<claim:claim>": (f"/claims/{BIRCH}", f"/claims/{WRONG}"),
    "/claims/<claim:claim>.json": (f"/claims/{BIRCH}.json", f"/claims/{WRONG}.json"),
    "/models/<slug:slug>": ("/models/birch", "/models/alder-may"),
    "/labs/<slug:slug>": ("/labs/alder-labs",),
    "/sources/<slug:slug>": (f"/sources/{TARGET.source}", "/sources/birch-post"),
    "/sources/<slug:slug>.json": (f"/sources/{TARGET.source}.json",),
    **{f"/{page}": (f"/{page}",) for page in ("papers", "probes")},
    **{
        f"/{kind}/<{rule}:name>{form}": (f"/{kind}/{name}{form}",)
        for kind, rule, name in NOTHING_OF
        for form in ("", ".json", *CITING)
    },
    **{
        rule: tuple(f"{rule}{query}" for query in FILTERS)
        for rule in ("/corrections", "/corrections.json", "/corrections.csv", "/corrections.atom")
    },
    **{
        f"{NOTICE}{form}": (f"/corrections/1{form}", f"/corrections/2{form}")
        for form in ("", ".json", ".jsonld")
    },
    **{f"{rule}{form}": (f"{page}{form}",) for rule, page in PAGES.items() for form in CITING},
    **{
        f"/benchmarks/<slug:slug>/changes{form}": (f"{BOARD}/changes{form}{PERIOD}",)
        for form in ("", ".json", ".csv", *CITING)
    },
    **{
        f"/models/<slug:slug>/history{form}": (f"/models/birch/history{form}",)
        for form in ("", ".json", ".csv", *CITING)
    },
    "/timegate/<path:original>": (f"/timegate{BOARD}", f"/timegate/claims/{BIRCH}"),
    "/timemap/<path:original>": (f"/timemap{BOARD}", f"/timemap/claims/{BIRCH}"),
    "/report": (f"/report?target=claims/{BIRCH}", "/report?target=benchmarks/orchard", "/report"),
    "/review": ("/review", f"/review?assignee={REVIEWER}"),
    "/review/suspected": ("/review/suspected",),
    "/login": ("/login", f"/login?next=/review/{NUMBER}"),
    "/password": ("/password",),
    "/static/<name>": ("/static/review.js",),
    "/schema/corrigenda-bundle-1.json": ("/schema/corrigenda-bundle-1.json",),
    "/robots.txt": ("/robots.txt",),
    "/sitemap.xml": ("/sitemap.xml",),
    "/healthz": ("/healthz",),
    "/readyz": ("/readyz",),
    "/checkpoint/keys.json": ("/checkpoint/keys.json",),
}

MOMENTS = (
    "",
    "as_read_on=2025-08-20",
    "as_read_on=2025-07-29&corrected=since",
    "as_read_on=2025-08-20&recorded_through={before}",
    "as_read_on=2025-08-20&recorded_through={head}",
    "recorded_through=2025-08-20",
    "published_by=2025-08-20",
)
"""Ways to ask for the same at other times; what takes none refuses them, then as before."""

# --- what says how the log hangs together -----------------------------------------------------

EXPORTS = (".bundle.json", ".prov.json", ".provn", ".ttl")
EVENTS = "/events/<number:position>.json"

# In braces: the position of an event of the report, and how many there are.
SEALED: Table = {
    **{f"/benchmarks/<slug:slug>{form}": (f"{BOARD}{form}",) for form in EXPORTS},
    **{f"/claims/<claim:claim>{form}": (f"/claims/{BIRCH}{form}",) for form in EXPORTS},
    **{f"{NOTICE}{form}": (f"/corrections/2{form}",) for form in EXPORTS},
    **{f"/corrections{form}": (f"/corrections{form}{PERIOD}",) for form in EXPORTS},
    "/checkpoint": ("/checkpoint",),
    "/checkpoint/<count:size>": ("/checkpoint/{head}",),
    "/tile/<path:rest>": ("/tile/0/000.p/{head}", "/tile/entries/000.p/{head}"),
    "/proof/inclusion": ("/proof/inclusion?position={position}",),
    "/proof/consistency": ("/proof/consistency?from={position}",),
    "/events/<number:position>.tlog-proof": ("/events/{position}.tlog-proof",),
    EVENTS: ("/events/{position}.json",),
}

PRINTED: Table = {
    "/benchmarks/<slug:slug>.pdf": (f"{BOARD}.pdf",),
    "/claims/<claim:claim>.pdf": (f"/claims/{BIRCH}.pdf",),
    f"{NOTICE}.pdf": ("/corrections/2.pdf",),
    "/corrections.pdf": (f"/corrections.pdf{PERIOD}",),
}
"""The same on paper; printing takes a while, and nobody may ask for much of it."""
