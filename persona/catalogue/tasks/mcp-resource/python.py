# snippet:doc https://modelcontextprotocol.io/specification/latest/server/resources Resources
# snippet:about Model Context Protocol
# snippet:needs mcp 2
# snippet:into Save it as server.py, with server.run("stdio") at its end, and name it in the client's settings, with NOTES, the folder, in its environment.
import os
from pathlib import Path

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError

server = MCPServer("notes")
FOLDER = Path(os.environ.get("NOTES", ".")).resolve(strict=True)  # a missing one would have no notes


def is_note(path: Path) -> bool:
    return path.is_file() and path.resolve() == FOLDER / path.name  # not a link, and in no other folder


@server.resource("notes://index", mime_type="text/plain")
def index() -> str:
    """The names of all notes, one a line."""
    return "\n".join(sorted(path.stem for path in FOLDER.glob("*.md") if is_note(path)))


@server.resource("notes://note/{name}", mime_type="text/markdown")
def note(name: str) -> str:
    """A note by its name."""
    path = FOLDER / f"{name}.md"
    if not is_note(path):
        raise ResourceNotFoundError(f"no note is called {name!r}")
    return path.read_text("utf-8")
# snippet:check


# snippet:measures a name that leads out of the folder is refused
import asyncio
import tempfile

from mcp import Client, MCPError


async def main():
    global FOLDER
    with tempfile.TemporaryDirectory() as outer:
        FOLDER = (Path(outer) / "notes").resolve()
        FOLDER.mkdir()
        (FOLDER / "tea.md").write_text("# Tea")
        (Path(outer) / "secret.md").write_text("secret")
        (FOLDER / "link.md").symlink_to(Path(outer) / "secret.md")
        (FOLDER / ".env").write_text("secret")
        (FOLDER / "inner.md").symlink_to(".env")
        (FOLDER / "loop.md").symlink_to("loop.md")
        async with Client(server) as client:
            print((await client.read_resource("notes://index")).contents[0].text.split())
            print((await client.read_resource("notes://note/tea")).contents[0].text)
            for name in "milk", "..%2Fsecret", "link", "inner":
                try:
                    print((await client.read_resource(f"notes://note/{name}")).contents[0].text)
                except MCPError as error:
                    print("refused", error.code)


asyncio.run(main())
# snippet:prints ['tea']
# snippet:prints # Tea
# snippet:prints refused -32602
# snippet:prints refused -32602
# snippet:prints refused -32602
# snippet:prints refused -32602
