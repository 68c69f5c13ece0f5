# snippet:doc https://py.sdk.modelcontextprotocol.io/client/ MCP clients
# snippet:about Model Context Protocol
# snippet:needs mcp 2.1
# snippet:into Set WEATHER_KEY, and call it beside a server weather.py: asyncio.run(main("Porto"))
# snippet:check
import asyncio
# snippet:end
import os
import sys

from mcp import Client, StdioServerParameters
# snippet:check
open("weather.py", "w").write('''
import os
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
server = MCPServer("weather")
@server.tool()
def celsius(city: str) -> float:
    """The temperature."""
    if city != "Porto":
        raise ToolError(f"{city}: no station there")
    return 21.5 if os.environ["WEATHER_KEY"] == "k" and "SECRET" not in os.environ else -1
server.run("stdio")
''')
os.environ.update(WEATHER_KEY="k", SECRET="x")
# snippet:end

# A few harmless variables, such as PATH, are handed on as well.
weather = StdioServerParameters(
    command=sys.executable,
    args=["weather.py"],
    env={"WEATHER_KEY": os.environ["WEATHER_KEY"]},
)


async def main(city: str) -> float:
    async with Client(weather) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]  # the first page, of a server with many
        known = "celsius" in names
        answer = await client.call_tool("celsius", {"city": city}, read_timeout_seconds=30) if known else None
    # Out here, since what is raised within arrives as a group of errors.
    if answer is None:
        raise LookupError(f"the server has {names}, and not celsius")
    if answer.is_error or answer.structured_content is None:
        raise ValueError(" ".join(part.text for part in answer.content if part.type == "text"))
    return answer.structured_content["result"]
# snippet:check


print(asyncio.run(main("Porto")))
try:
    asyncio.run(main("Atlantis"))
except ValueError as error:
    print(error)
source = open("weather.py").read()
open("weather.py", "w").write(source.replace("def celsius", "def fahrenheit"))
try:
    asyncio.run(main("Porto"))
except LookupError as error:
    print(error)
# snippet:prints 21.5
# snippet:prints Error executing tool celsius: Atlantis: no station there
# snippet:prints the server has ['fahrenheit'], and not celsius
