# snippet:doc https://hexdocs.pm/elixir/Process.html#send_after/4 Process.send_after
# snippet:prints search elixir
# snippet:prints search otp
defmodule Debouncer do
  @moduledoc "Passes on the latest value once nothing new has come for a while."
  use GenServer

  def start_link(quiet_ms, action), do: GenServer.start_link(__MODULE__, {quiet_ms, action})
  def push(pid, value), do: GenServer.cast(pid, {:push, value})

  @impl true
  def init({quiet_ms, action}), do: {:ok, %{quiet_ms: quiet_ms, action: action, timer: nil}}

  @impl true
  def handle_cast({:push, value}, state) do
    if state.timer, do: Process.cancel_timer(state.timer)
    timer = Process.send_after(self(), {:quiet, value}, state.quiet_ms)
    {:noreply, %{state | timer: timer}}
  end

  @impl true
  def handle_info({:quiet, value}, state) do
    state.action.(value)
    {:noreply, %{state | timer: nil}}
  end
end
# snippet:check
parent = self()
{:ok, pid} = Debouncer.start_link(100, &send(parent, {:search, &1}))

for burst <- [["e", "el", "elixir"], ["otp"]] do
  Enum.each(burst, &Debouncer.push(pid, &1))
  receive do: ({:search, text} -> IO.puts("search #{text}"))
end
