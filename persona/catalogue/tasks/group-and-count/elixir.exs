# snippet:doc https://hexdocs.pm/elixir/Enum.html#group_by/3 Enum.group_by
# snippet:prints Bath 1 900
# snippet:prints Rome 2 600
# snippet:prints %{"Bath" => 1, "Rome" => 2}
defmodule Sales do
  @doc "Count and sum of the sales per city, the largest sum first."
  def totals(sales) do
    sales
    |> Enum.group_by(& &1.city, & &1.cents)
    |> Enum.map(fn {city, cents} ->
      %{city: city, count: length(cents), cents: Enum.sum(cents)}
    end)
    |> Enum.sort_by(&{-&1.cents, &1.city})
  end

  @doc "How often each city occurs; for plain counting there is `frequencies_by`."
  def counts(sales), do: Enum.frequencies_by(sales, & &1.city)
end
# snippet:usage
sales = [%{city: "Rome", cents: 200}, %{city: "Bath", cents: 900}, %{city: "Rome", cents: 400}]
Enum.each(Sales.totals(sales), &IO.puts("#{&1.city} #{&1.count} #{&1.cents}"))
IO.inspect(Sales.counts(sales))
