# snippet:doc https://hexdocs.pm/elixir/Date.html Date
# snippet:prints 2026-05-04
# snippet:prints 5
defmodule WorkCalendar do
  @doc "Is this a working day? `holidays` is a MapSet of dates."
  def workday?(date, holidays),
    do: Date.day_of_week(date) <= 5 and not MapSet.member?(holidays, date)

  @doc "The date `count` working days after `start`, which itself does not count."
  def add(start, count, holidays) when count > 0 do
    start
    |> Stream.iterate(&Date.add(&1, 1))
    |> Stream.drop(1)
    |> Stream.filter(&workday?(&1, holidays))
    |> Enum.at(count - 1)
  end

  @doc "Working days of a range such as `Date.range(~D[2026-04-27], ~D[2026-05-04])`."
  def count(range, holidays), do: Enum.count(range, &workday?(&1, holidays))
end
# snippet:usage
holidays = MapSet.new([~D[2026-05-01]])
IO.puts(WorkCalendar.add(~D[2026-04-30], 1, holidays))
IO.puts(WorkCalendar.count(Date.range(~D[2026-04-27], ~D[2026-05-04]), holidays))
