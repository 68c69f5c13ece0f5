# snippet:doc https://hexdocs.pm/elixir/Map.html Map
# snippet:prints {:added, "log", "json"}
# snippet:prints {:changed, "port", 80, 443}
# snippet:prints {:removed, "tls", nil}
defmodule Diff do
  @doc "What turns one map into another, as a list ordered by key."
  def maps(before, now) do
    keys = before |> Map.merge(now) |> Map.keys() |> Enum.sort()

    Enum.flat_map(keys, fn key ->
      case {Map.fetch(before, key), Map.fetch(now, key)} do
        {same, same} -> []
        {:error, {:ok, new}} -> [{:added, key, new}]
        {{:ok, old}, :error} -> [{:removed, key, old}]
        {{:ok, old}, {:ok, new}} -> [{:changed, key, old, new}]
      end
    end)
  end
end
# snippet:check
Diff.maps(%{"port" => 80, "host" => "a", "tls" => nil}, %{"port" => 443, "host" => "a", "log" => "json"}) |> Enum.each(&IO.inspect/1)
