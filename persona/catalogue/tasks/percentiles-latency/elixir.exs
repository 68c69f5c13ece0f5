# snippet:doc https://hexdocs.pm/elixir/Enum.html Enum
# snippet:prints %{p100: 200, p50: 100, p95: 190, p99: 198}
# snippet:prints true
defmodule Latency do
  @doc "Median, tail and maximum of measured durations; `nil` without samples."
  def summary([]), do: nil

  def summary(samples) do
    sorted = samples |> Enum.sort() |> List.to_tuple()
    for p <- [50, 95, 99, 100], into: %{}, do: {:"p#{p}", percentile(sorted, p)}
  end

  # Nearest rank: a value that was really measured.
  defp percentile(sorted, p) do
    rank = ceil(p * tuple_size(sorted) / 100)
    elem(sorted, max(rank, 1) - 1)
  end

  @doc "Runs `fun` and returns its result with the duration in microseconds."
  def measure(fun) do
    {microseconds, result} = :timer.tc(fun)
    {result, microseconds}
  end
end
# snippet:check
IO.inspect(Latency.summary(Enum.shuffle(1..200)))
{:done, us} = Latency.measure(fn -> Process.sleep(2) && :done end)
IO.puts(us >= 2000)
