# snippet:doc https://hexdocs.pm/elixir/DateTime.html DateTime
# snippet:prints 2026-01-01 00:00:00Z 2 3.0
# snippet:prints 2026-01-01 00:01:00Z 0 nil
# snippet:prints 2026-01-01 00:02:00Z 1 7.0
defmodule TimeSeries do
  @doc """
  Groups `{DateTime, value}` readings into intervals of `width` seconds. An
  interval without readings is listed too: a gap is information.
  """
  def buckets([], _width), do: []

  def buckets(readings, width) do
    groups = Enum.group_by(readings, &index(&1, width), fn {_at, value} -> value end)
    {first, last} = groups |> Map.keys() |> Enum.min_max()

    for i <- first..last do
      values = Map.get(groups, i, [])
      %{start: DateTime.from_unix!(i * width), count: length(values), mean: mean(values)}
    end
  end

  defp index({at, _value}, width), do: at |> DateTime.to_unix() |> Integer.floor_div(width)

  defp mean([]), do: nil
  defp mean(values), do: Enum.sum(values) / length(values)
end
# snippet:check
readings = [{~U[2026-01-01 00:00:00Z], 2}, {~U[2026-01-01 00:00:20Z], 4}, {~U[2026-01-01 00:02:10Z], 7}]
for b <- TimeSeries.buckets(readings, 60), do: IO.puts("#{b.start} #{b.count} #{inspect(b.mean)}")
