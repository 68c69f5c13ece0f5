"""What Schemathesis does not know of: x-other-content, and bodies of newline-delimited JSON."""

import json

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(ctx, value):
    if isinstance(value, bytes):
        return value
    if not isinstance(value, str):
        value = json.dumps(value)
    return value.encode("utf-8", "surrogatepass")


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Joins x-other-content with content."""
    if isinstance(raw_schema, dict):
        if "x-other-content" in raw_schema:
            raw_schema["content"].update(raw_schema["x-other-content"])
        raw_schema = list(raw_schema.values())
    for member in raw_schema if isinstance(raw_schema, list) else []:
        before_load_schema(context, member)
