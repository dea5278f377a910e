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
    "/api/reports": ("/api/reports", "/api/reports?state=open"),
    LETTER: ("/reports/{kept}",),
    f"{LETTER}/amend": ("/reports/{kept}/amend",),
    f"{LETTER}/files/{DIGEST}": (
        "/reports/{kept}/files/{digest}",
        "/reports/{theirs}/files/{digest}",
    ),
    f"/snapshots/{DIGEST}": ("/snapshots/{digest}",),
    f"/audit/snapshots/{DIGEST}": ("/audit/snapshots/{digest}",),
    f"/audit/snapshots/{DIGEST}.json": ("/audit/snapshots/{digest}.json",),
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
CITED_OF_LOG = tuple(
    one for one in FILTERS if not any(name in one for name in ("before=", "after=", "count="))
)
VIEWS = ("", "?view=labs", "?view=independent", "?view=all&every_claim=yes", "?metric=hours")
CITING = (".bib", ".csl.json")
ENDINGS = ".<any(svg,json):ending>"
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

CLAIMING = {
    "/benchmarks/<slug:slug>": BOARD,
    "/models/<slug:slug>": "/models/birch",
    "/sources/<slug:slug>": "/sources/birch-post",
}
"""Pages of which the claims are a list of their own."""

OTHERS: Table = {
    "/": ("/", *(f"/?q={words}" for words in SEARCHES)),
    "/benchmarks/<slug:slug>": (*(f"{BOARD}{view}" for view in VIEWS), "/benchmarks/meadow"),
    "/benchmarks/<slug:slug>.json": tuple(f"{BOARD}.json{view}" for view in VIEWS),
    "/benchmarks/<slug:slug>.jsonld": (f"{BOARD}.jsonld",),
    "/benchmarks/<slug:slug>.csv": tuple(f"{BOARD}.csv{view}" for view in VIEWS),
    **{
        f"/benchmarks/<slug:slug>{form}": tuple(f"{BOARD}{form}{view}" for view in VIEWS)
        for form in (".jsonl", ".eee.jsonl")
    },
    **{
        f"/claims/<claim:claim>{form}": (f"/claims/{BIRCH}{form}", f"/claims/{WRONG}{form}")
        for form in (".csv", ".jsonl")
    },
    f"/benchmarks/<slug:slug>/charts/<any(leaders,scores,posts):name>{ENDINGS}": tuple(
        f"{BOARD}/charts/{name}.{ending}"
        for name in ("leaders", "scores", "posts")
        for ending in ("svg", "json")
    ),
    f"/corrections/charts/months{ENDINGS}": (
        "/corrections/charts/months.svg",
        "/corrections/charts/months.json",
    ),
    "/charts/vega.js": ("/charts/vega.js",),
    "/claims/<claim:claim>": (f"/claims/{BIRCH}", f"/claims/{WRONG}"),
    "/claims/<claim:claim>.json": (f"/claims/{BIRCH}.json", f"/claims/{WRONG}.json"),
    "/models/<slug:slug>": ("/models/birch", "/models/alder-may"),
    "/labs/<slug:slug>": ("/labs/alder-labs",),
    **{f"/labs/<slug:slug>{form}": (f"/labs/alder-labs{form}",) for form in CITING},
    **{
        f"/benchmarks{form}": tuple(f"/benchmarks{form}?q={words}" for words in SEARCHES)
        for form in CITING
    },
    **{
        f"/corrections{form}": tuple(f"/corrections{form}{query}" for query in CITED_OF_LOG)
        for form in CITING
    },
    "/sources/<slug:slug>": (f"/sources/{TARGET.source}", "/sources/birch-post"),
    "/sources/<slug:slug>.json": (f"/sources/{TARGET.source}.json",),
    **{f"/{page}": (f"/{page}",) for page in ("papers", "probes")},
    **{
        f"/{kind}/<{rule}:name>{form}": (f"/{kind}/{name}{form}",)
        for kind, rule, name in NOTHING_OF
        for form in ("", ".json", *CITING)
    },
    "/papers/<slug:name>.pdf": ("/papers/2603.01234.pdf",),
    **{
        rule: tuple(f"{rule}{query}" for query in FILTERS)
        for rule in (
            "/corrections",
            *(f"/corrections.{form}" for form in ("json", "jsonl", "csv", "atom")),
            "/corrections.retractions.csv",
        )
    },
    **{
        f"{NOTICE}{form}": (f"/corrections/1{form}", f"/corrections/2{form}")
        for form in ("", ".json", ".jsonld")
    },
    **{f"{rule}{form}": (f"{page}{form}",) for rule, page in PAGES.items() for form in CITING},
    **{
        f"/benchmarks/<slug:slug>/changes{form}": (f"{BOARD}/changes{form}{PERIOD}",)
        for form in ("", ".json", ".jsonl", ".csv", *CITING)
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
    **{
        f"/audit/{page}{form}": (f"/audit/{page}{form}", f"/audit/{page}{form}?before=30&count=2")
        for page in ("imports", "snapshots")
        for form in ("", ".json")
    },
    **{
        f"/audit/imports/<number:position>{form}": (f"/audit/imports/19{form}",)
        for form in ("", ".json")
    },
    # A cursor would hold the ledger's last position, so it is tried below.
    **{f"/{page}.json": (f"/{page}.json",) for page in ("benchmarks", "papers")},
    **{f"{rule}/claims.json": (f"{page}/claims.json",) for rule, page in CLAIMING.items()},
    "/models/<slug:slug>.json": ("/models/birch.json",),
    "/api": ("/api",),
    "/api/openapi.json": ("/api/openapi.json",),
    "/robots.txt": ("/robots.txt",),
    "/sitemap.xml": ("/sitemap.xml",),
    "/agents": ("/agents",),
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

LOOKING = (
    "",
    "?shown=withheld",
    "?day=2025-08-20",
    "?before={position}",
    "?after={position}",
    "?shown=published&recorded_through={position}",
)
"""Ways to look through the log; what names a report, or who works on it, is looked for below."""

# In braces: the position of an event of the report, and how many there are.
SEALED: Table = {
    **{f"/benchmarks/<slug:slug>{form}": (f"{BOARD}{form}",) for form in EXPORTS},
    **{f"/claims/<claim:claim>{form}": (f"/claims/{BIRCH}{form}",) for form in EXPORTS},
    **{f"/papers/<slug:name>{form}": (f"/papers/2603.01234{form}",) for form in EXPORTS},
    **{f"{NOTICE}{form}": (f"/corrections/2{form}",) for form in EXPORTS},
    **{f"/corrections{form}": (f"/corrections{form}{PERIOD}",) for form in EXPORTS},
    "/metrics": ("/metrics",),
    **{f"{rule}/claims.json": (f"{page}/claims.json?limit=1",) for rule, page in CLAIMING.items()},
    "/corrections.json": ("/corrections.json?limit=1",),
    "/checkpoint": ("/checkpoint",),
    "/checkpoint/<count:size>": ("/checkpoint/{head}",),
    "/tile/<path:rest>": ("/tile/0/000.p/{head}", "/tile/entries/000.p/{head}"),
    "/proof/inclusion": ("/proof/inclusion?position={position}",),
    "/proof/consistency": ("/proof/consistency?from={position}",),
    "/events/<number:position>.tlog-proof": ("/events/{position}.tlog-proof",),
    EVENTS: ("/events/{position}.json",),
    "/audit": ("/audit",),
    "/audit.json": ("/audit.json",),
    **{
        f"/audit/events{form}": tuple(f"/audit/events{form}{query}" for query in LOOKING)
        for form in ("", ".json")
    },
    "/audit/events/<number:position>": ("/audit/events/{position}",),
    "/audit/checkpoints": ("/audit/checkpoints",),
    "/audit/checkpoints.json": ("/audit/checkpoints.json",),
    "/audit/checkpoints/<count:size>": ("/audit/checkpoints/{head}",),
    "/audit/checkpoints/<count:size>.json": ("/audit/checkpoints/{head}.json",),
    "/audit/consistency": ("/audit/consistency?from=40",),
}

PRINTED: Table = {
    "/benchmarks/<slug:slug>.pdf": (f"{BOARD}.pdf",),
    "/claims/<claim:claim>.pdf": (f"/claims/{BIRCH}.pdf",),
    f"{NOTICE}.pdf": ("/corrections/2.pdf",),
    "/corrections.pdf": (f"/corrections.pdf{PERIOD}",),
}
"""The same on paper; printing takes a while, and nobody may ask for much of it."""
