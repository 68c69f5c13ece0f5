# snippet:description The states and events of an order, and function clauses for the allowed steps. What is not allowed is
# snippet:description answered with the reason: the state and the event, or that the basket is empty.
# snippet:doc https://hexdocs.pm/elixir/patterns-and-guards.html Patterns and guards
# snippet:prints paid shipped t9
# snippet:prints {:error, {:not_possible, :shipped, :cancel}}
# snippet:prints {:error, :empty_basket}
defmodule Order do
  @enforce_keys [:state]
  defstruct [:state, items: [], receipt: nil, tracking: nil]

  def new(items), do: %Order{state: :basket, items: items}

  @doc "The next order, or why the event is refused in this state."
  def handle(%Order{state: :basket, items: []}, {:pay, _}), do: {:error, :empty_basket}

  def handle(%Order{state: :basket} = order, {:pay, receipt}),
    do: {:ok, %{order | state: :paid, receipt: receipt}}

  def handle(%Order{state: :paid} = order, {:ship, tracking}),
    do: {:ok, %{order | state: :shipped, tracking: tracking}}

  def handle(%Order{state: state} = order, :cancel) when state in [:basket, :paid],
    do: {:ok, %{order | state: :cancelled}}

  def handle(%Order{state: state}, event), do: {:error, {:not_possible, state, event}}
end
# snippet:usage
{:ok, paid} = Order.handle(Order.new(["book"]), {:pay, "r1"})
{:ok, shipped} = Order.handle(paid, {:ship, "t9"})
IO.puts("#{paid.state} #{shipped.state} #{shipped.tracking}")
IO.inspect(Order.handle(shipped, :cancel))
IO.inspect(Order.handle(Order.new([]), {:pay, "r2"}))
