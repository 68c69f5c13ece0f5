# snippet:description Count the server errors of each hour and path in an access log. The hours are those that the
# snippet:description log writes, without their offset from UTC. Lines in another format are passed over.
# snippet:doc https://docs.python.org/3/library/re.html#re.VERBOSE re.VERBOSE
import re
from collections import Counter
from collections.abc import Iterable

# 203.0.113.7 - - [05/Mar/2025:10:17:31 +0000] "GET /cart?id=1 HTTP/1.1" 502 12
LINE = re.compile(
    r"""
    \S+ \s \S+ \s \S+ \s
    \[ (?P<hour> [^:\]]+ : \d\d ) [^]]* \] \s
    "(?P<method> [A-Z]+ ) \s (?P<path> (?: [^\s?"\\] | \\. )+ )  # \" is a quote in the request
    (?: [\s?] (?: [^"\\] | \\. )* )? " \s
    (?P<status> \d{3} ) \b
    """,
    re.VERBOSE,
)


def errors_per_hour(lines: Iterable[str]) -> dict[str, Counter[str]]:
    """Hour → path → number of 5xx answers; lines in another format are skipped."""
    hours: dict[str, Counter[str]] = {}
    for match in filter(None, map(LINE.match, lines)):
        counts = hours.setdefault(match["hour"], Counter())
        if match["status"].startswith("5"):
            counts[match["path"]] += 1
    return hours
# snippet:usage


LOG = """\
10.0.0.1 - - [05/Mar/2025:09:59:00 +0000] "GET / HTTP/1.1" 200 12
10.0.0.1 - - [05/Mar/2025:10:00:00 +0000] "GET /cart?id=1 HTTP/1.1" 502 12
10.0.0.2 - - [05/Mar/2025:10:00:01 +0000] "GET /cart?id=2 HTTP/1.1" 500 12
10.0.0.3 - - [05/Mar/2025:10:00:02 +0000] "POST /pay?\\"x HTTP/1.1" 503 0
not an access log line
"""
for hour, counts in errors_per_hour(LOG.splitlines()).items():
    print(hour, sum(counts.values()), counts.most_common(1))
# snippet:prints 05/Mar/2025:09 0 []
# snippet:prints 05/Mar/2025:10 3 [('/cart', 2)]
