# snippet:doc https://hexdocs.pm/elixir/Enum.html#sort_by/3 Enum.sort_by
# snippet:prints ["Cy", "Di", "Ann", "bo"]
# snippet:prints "Cy"
defmodule Ranking do
  @doc """
  Best score first, then the earlier date, then the name. Elixir sorts tuples
  by their elements; a date needs `Date` to compare, so it goes in as a number.
  """
  def rank(players) do
    Enum.sort_by(players, fn player ->
      {-player.score, Date.to_gregorian_days(player.joined), String.downcase(player.name)}
    end)
  end

  @doc "The newest first: a module with `compare/2` as the sorter."
  def newest(players), do: Enum.sort_by(players, & &1.joined, {:desc, Date})
end
# snippet:usage
players = [
  %{name: "bo", score: 10, joined: ~D[2026-01-02]},
  %{name: "Ann", score: 10, joined: ~D[2026-01-02]},
  %{name: "Cy", score: 12, joined: ~D[2026-03-01]},
  %{name: "Di", score: 10, joined: ~D[2025-12-31]}
]
IO.inspect(Enum.map(Ranking.rank(players), & &1.name))
IO.inspect(hd(Ranking.newest(players)).name)
