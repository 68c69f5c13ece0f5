# snippet:doc https://hexdocs.pm/elixir/Task.html#async_stream/3 Task.async_stream
# snippet:prints [ok: 10, ok: 5, error: "bad argument in arithmetic expression"]
# snippet:prints [error: "exit: :broken"]
# snippet:prints [ok: 1, error: "took longer than 900 ms"]
defmodule Parallel do
  @doc """
  Maps with at most `limit` processes at a time and keeps the order. An item
  that is too slow, raises, throws or exits becomes an error; the others go on.
  """
  def map(items, limit, fun, timeout \\ 5_000) do
    items
    |> Task.async_stream(
      fn item ->
        try do
          {:ok, fun.(item)}
        rescue
          error -> {:error, Exception.message(error)}
        catch # exit and throw would take the caller along
          kind, reason -> {:error, "#{kind}: #{inspect(reason)}"}
        end
      end,
      max_concurrency: limit,
      timeout: timeout,
      on_timeout: :kill_task
    )
    |> Enum.map(fn
      {:ok, result} -> result
      {:exit, :timeout} -> {:error, "took longer than #{timeout} ms"}
    end)
  end
end
# snippet:check
IO.inspect(Parallel.map([1, 2, 0], 2, &div(10, &1)))
IO.inspect(Parallel.map([1], 2, fn _ -> exit(:broken) end))
IO.inspect(Parallel.map([1, 5_000], 2, fn ms -> Process.sleep(ms) && ms end, 900))
