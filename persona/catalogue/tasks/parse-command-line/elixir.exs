# snippet:doc https://hexdocs.pm/elixir/OptionParser.html OptionParser
# snippet:prints {:ok, %{top: 3, verbose: true}, ["a.txt"]}
# snippet:prints --top: "x" is not possible
# snippet:prints usage: words [--top N] [--verbose] FILE...
# snippet:prints --top: must be from 1
# snippet:prints usage: words [--top N] [--verbose] FILE...
# snippet:prints --quiet is unknown or lacks a value
# snippet:prints usage: words [--top N] [--verbose] FILE...
# snippet:prints usage: words [--top N] [--verbose] FILE...
defmodule Words.CLI do
  @usage "usage: words [--top N] [--verbose] FILE..."

  @doc "Returns `{:ok, options, files}` or `{:error, message}`; never halts. To `OptionParser`, `-3` is a file."
  def parse(argv) do
    switches = [top: :integer, verbose: :boolean]

    case OptionParser.parse(argv, strict: switches, aliases: [n: :top, v: :verbose]) do
      {_options, _files, [{option, nil} | _]} ->
        {:error, "#{option} is unknown or lacks a value\n#{@usage}"}

      {_options, _files, [{option, value} | _]} ->
        {:error, "#{option}: #{inspect(value)} is not possible\n#{@usage}"}

      {_options, [], []} ->
        {:error, @usage}

      {options, files, []} ->
        options = Map.merge(%{top: 10, verbose: false}, Map.new(options))
        if options.top > 0, do: {:ok, options, files}, else: {:error, "--top: must be from 1\n#{@usage}"}
    end
  end
end
# snippet:check
IO.inspect(Words.CLI.parse(["-v", "-n", "3", "a.txt"]))
for bad <- [["--top", "x", "a"], ["--top=-3", "a"], ["--quiet", "a"], []], do: IO.puts(elem(Words.CLI.parse(bad), 1))
