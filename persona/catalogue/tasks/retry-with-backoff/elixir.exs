# snippet:doc https://hexdocs.pm/elixir/Stream.html Stream
# snippet:prints {:ok, "done"}
# snippet:prints {:error, :down}
defmodule Retry do
  @doc """
  Calls `fun` until it returns `{:ok, value}`, at most `attempts` times. Waits a
  random part of a delay in between, which doubles up to 30 s. Returns the last result.
  """
  def run(fun, attempts \\ 5, delay_ms \\ 100)

  def run(fun, 1, _delay_ms), do: fun.()

  def run(fun, attempts, delay_ms) when attempts > 1 do
    case fun.() do
      {:ok, value} ->
        {:ok, value}

      {:error, _reason} ->
        delay_ms |> :rand.uniform() |> Process.sleep()
        run(fun, attempts - 1, min(delay_ms * 2, 30_000))
    end
  end
end
# snippet:check
{:ok, counter} = Agent.start_link(fn -> 0 end)
flaky = fn -> if Agent.get_and_update(counter, &{&1 + 1, &1 + 1}) < 3, do: {:error, :busy}, else: {:ok, "done"} end
IO.inspect(Retry.run(flaky, 5, 1))
IO.inspect(Retry.run(fn -> {:error, :down} end, 2, 1))
