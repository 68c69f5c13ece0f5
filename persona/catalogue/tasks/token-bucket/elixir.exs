# snippet:doc https://hexdocs.pm/elixir/Agent.html Agent
# snippet:prints [:ok, :ok, {:wait, 500}]
# snippet:prints :ok
defmodule TokenBucket do
  @moduledoc "A steady rate per second with room for bursts, kept in one process."
  use Agent

  def start_link({rate, burst}) do
    Agent.start_link(fn -> %{rate: rate, burst: burst, tokens: burst, at: now()} end)
  end

  @doc "`:ok`, or `{:wait, milliseconds}` when the bucket is empty."
  def take(bucket, time \\ now()) do
    Agent.get_and_update(bucket, fn state ->
      filled = min(state.burst, state.tokens + (time - state.at) / 1000 * state.rate)

      if filled >= 1,
        do: {:ok, %{state | tokens: filled - 1, at: time}},
        else: {{:wait, ceil((1 - filled) / state.rate * 1000)}, %{state | tokens: filled, at: time}}
    end)
  end

  def now, do: System.monotonic_time(:millisecond)
end
# snippet:check
{:ok, supervisor} = Supervisor.start_link([{TokenBucket, {2, 2}}], strategy: :one_for_one)
[{_id, bucket, _type, _modules}] = Supervisor.which_children(supervisor)
start = TokenBucket.now() + 10
IO.inspect(for _ <- 1..3, do: TokenBucket.take(bucket, start))
IO.inspect(TokenBucket.take(bucket, start + 500))
