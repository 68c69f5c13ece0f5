"""What the apps in Python share: the session, a step's outcome, and a person with a browser."""

import json
import sys
import traceback
import urllib.parse
import urllib.request

session = json.load(sys.stdin)
issuer, client_id, client_secret = session["gateway"], session["client_id"], session.get("client_secret", "")
redirect_uri, scope = session["redirect_uri"], session["scope"]


def walk(url):
    """A person opens the URL in a browser; the answer is where that ends: its URL, and the page."""
    request = urllib.request.Request(session["browser"], json.dumps({"url": url}).encode())
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def log_in(url):
    """The response that the app gets."""
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(walk(url)["url"]).query))


def step(name, run):
    try:
        ok, detail = bool(run()), "it is not so"
    except Exception as error:
        traceback.print_exc()
        ok, detail = False, str(error)
    print(json.dumps({"step": name, "ok": ok, "detail": detail}), flush=True)
