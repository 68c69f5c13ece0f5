# snippet:doc https://hexdocs.pm/elixir/Stream.html Stream
# snippet:prints [{2, "disk"}, {4, "net"}]
# snippet:prints [144, 233, 377]
defmodule LogStream do
  @doc "The first distinct texts after \" ERROR \" in the lines of a log of any size, read lazily."
  def first_errors(lines, count) do
    lines
    |> Stream.map(&String.trim_trailing/1)
    |> Stream.with_index(1)
    |> Stream.flat_map(fn {line, number} ->
      case String.split(line, " ERROR ", parts: 2) do
        [_, message] -> [{number, message}]
        _ -> []
      end
    end)
    |> Stream.uniq_by(fn {_number, message} -> message end)
    |> Enum.take(count)
  end

  @doc "Endless Fibonacci numbers; nothing is computed before somebody asks."
  def fibonacci, do: Stream.unfold({0, 1}, fn {a, b} -> {a, {b, a + b}} end)
end
# snippet:usage
lines = ["1 INFO a\n", "2 ERROR disk\n", "3 ERROR disk\n", "4 ERROR net\n", "5 ERROR cpu\n"]
IO.inspect(LogStream.first_errors(lines, 2))
IO.inspect(LogStream.fibonacci() |> Stream.drop_while(&(&1 < 100)) |> Enum.take(3))
