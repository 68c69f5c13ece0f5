"""mcp (https://pypi.org/project/mcp/), given the URL of a server and nothing else."""

import asyncio
import json
import sys
import urllib.parse
import urllib.request

import httpx2
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

session = json.load(sys.stdin)


class Memory:
    """What an app keeps for the SDK."""

    tokens = client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client_info):
        self.client = client_info


def walk(url):
    """A person opens the URL in a browser; the answer is where that ends."""
    request = urllib.request.Request(session["browser"], json.dumps({"url": url}).encode())
    with urllib.request.urlopen(request) as response:
        arrived = json.load(response)["url"]
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(arrived).query))


async def main():
    opened = None

    async def open_browser(url):
        nonlocal opened
        opened = url

    async def callback():
        response = await asyncio.to_thread(walk, opened)
        return AuthorizationCodeResult(code=response["code"], state=response.get("state"), iss=response.get("iss"))

    provider = OAuthClientProvider(
        session["mcp"],
        OAuthClientMetadata(client_name="interop", redirect_uris=[session["redirect_uri"]]),
        Memory(), open_browser, callback,
    )
    async with httpx2.AsyncClient(auth=provider) as http:
        async with Client(streamable_http_client(session["mcp"], http_client=http)) as client:
            print(json.dumps({"step": "login", "ok": opened is not None}))
            result = await client.call_tool("whoami", {})
            print(json.dumps({"step": "protected API", "ok": result.content[0].text != ""}))


asyncio.run(main())
