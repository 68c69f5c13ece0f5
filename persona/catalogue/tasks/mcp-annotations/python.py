# snippet:doc https://modelcontextprotocol.io/specification/latest/server/tools Tools
# snippet:about Model Context Protocol
# snippet:needs mcp 2
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

server = MCPServer("files")
files = {"plan.md": "# Plan"}


@server.tool(annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False))
def list_files() -> list[str]:
    """All files by name."""
    return sorted(files)


@server.tool(annotations=ToolAnnotations(destructive_hint=False, idempotent_hint=True))
def save_draft(name: str, text: str) -> str:
    """Save a draft beside the file, which stays as it is."""
    draft = f"{name}.draft"
    if files.setdefault(draft, text) != text:  # nothing is destroyed: as the hint says
        raise ToolError(f"There is another {draft}: delete it first.")
    return draft


@server.tool(annotations=ToolAnnotations(destructive_hint=True, idempotent_hint=True))
def delete_file(name: str) -> str:
    """Delete a draft for good."""
    if not name.endswith(".draft"):  # a hint stops nobody: this does
        raise ToolError("Only drafts can be deleted.")
    files.pop(name, None)
    return f"{name} is gone"
# snippet:check


import asyncio

from mcp import Client


async def main():
    async with Client(server) as client:
        for tool in (await client.list_tools()).tools:
            hints = tool.annotations
            print(tool.name, hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint)
        await client.call_tool("save_draft", {"name": "plan.md", "text": "x"})
        print((await client.call_tool("save_draft", {"name": "plan.md", "text": "y"})).content[0].text)
        for name in "plan.md", "plan.md.draft":
            print((await client.call_tool("delete_file", {"name": name})).content[0].text)
        print(files)


asyncio.run(main())
# snippet:prints list_files True None None
# snippet:prints save_draft None False True
# snippet:prints delete_file None True True
# snippet:prints Error executing tool save_draft: There is another plan.md.draft: delete it first.
# snippet:prints Error executing tool delete_file: Only drafts can be deleted.
# snippet:prints plan.md.draft is gone
# snippet:prints {'plan.md': '# Plan'}
