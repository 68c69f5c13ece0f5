# snippet:doc https://hexdocs.pm/ex_unit/ExUnit.Case.html ExUnit.Case
# snippet:prints 5 tests, 0 failures
# snippet:check
ExUnit.start(autorun: false, seed: 0, colors: [enabled: false])
# snippet:end
defmodule VersionTest do
  use ExUnit.Case, async: true

  # requirement, version, does it match?
  cases = [
    {"~> 1.4", "1.9.0", true},
    {"~> 1.4", "2.0.0", false},
    {"~> 1.4.2", "1.5.0", false},
    {">= 1.0.0 and < 2.0.0", "1.99.99", true},
    {"== 1.0.0", "1.0.0-rc.1", false}
  ]

  for {requirement, version, expected} <- cases do
    # unquote: every row becomes a test of its own with its own name
    test "#{version} #{if expected, do: "matches", else: "does not match"} #{requirement}" do
      assert Version.match?(unquote(version), unquote(requirement)) == unquote(expected)
    end
  end
end
# snippet:check
ExUnit.Server.modules_loaded()
{:ok, device} = StringIO.open("")
leader = Process.group_leader()
Process.group_leader(self(), device)
result = ExUnit.run()
Process.group_leader(self(), leader)
IO.puts("#{result.total} tests, #{result.failures} failures")
