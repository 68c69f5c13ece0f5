# snippet:doc https://www.erlang.org/doc/apps/erts/erlang.html#start_timer/3 :erlang.start_timer
# snippet:prints search elixir
# snippet:prints search otp
defmodule Debouncer do
  @moduledoc "Passes on the latest value once nothing new has come for a while."
  use GenServer

  def start_link({_quiet_ms, _action} = options), do: GenServer.start_link(__MODULE__, options)
  def push(pid, value), do: GenServer.cast(pid, {:push, value})

  @impl true
  def init({quiet_ms, action}), do: {:ok, %{quiet_ms: quiet_ms, action: action, timer: nil}}

  @impl true
  def handle_cast({:push, value}, state) do
    timer = :erlang.start_timer(state.quiet_ms, self(), value)
    {:noreply, %{state | timer: timer}}
  end

  @impl true
  # Only the last timer counts: an earlier one's message may be on its way already.
  def handle_info({:timeout, timer, value}, %{timer: timer} = state) do
    state.action.(value)
    {:noreply, state}
  end

  def handle_info({:timeout, _earlier, _value}, state), do: {:noreply, state}
end
# snippet:usage
parent = self()
{:ok, supervisor} = Supervisor.start_link([{Debouncer, {100, &send(parent, {:search, &1})}}], strategy: :one_for_one)
[{_, pid, _, _}] = Supervisor.which_children(supervisor)

for burst <- [["e", "el", "elixir"], ["otp"]] do
  Enum.each(burst, &Debouncer.push(pid, &1))
  receive do: ({:search, text} -> IO.puts("search #{text}"))
end
