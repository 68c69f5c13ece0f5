"""What Schemathesis does not know of: bodies of newline-delimited JSON."""

import json

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(ctx, value):
    if isinstance(value, bytes):
        return value
    if not isinstance(value, str):
        value = json.dumps(value)
    return value.encode("utf-8", "surrogatepass")
