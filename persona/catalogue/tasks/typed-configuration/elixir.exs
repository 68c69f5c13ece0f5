# snippet:doc https://hexdocs.pm/elixir/System.html#get_env/0 System.get_env/0
# snippet:prints {:ok, %{debug: false, host: "localhost", pool_size: 10, port: 4000}}
# snippet:prints {:error, ["PORT=http is no integer", "DEBUG=yes is no boolean"]}
defmodule Settings do
  @spec_list [
    {:port, "PORT", "8080", :integer},
    {:pool_size, "POOL_SIZE", "10", :integer},
    {:debug, "DEBUG", "false", :boolean},
    {:host, "HOST", "localhost", :string}
  ]

  @doc "Reads a map like `System.get_env()`; reports every mistake at once."
  def load(env) do
    results =
      for {key, variable, default, type} <- @spec_list do
        text = Map.get(env, variable, default)
        {key, cast(type, text) || {:error, "#{variable}=#{text} is no #{type}"}}
      end

    case for {_key, {:error, message}} <- results, do: message do
      [] -> {:ok, Map.new(results, fn {key, {:ok, value}} -> {key, value} end)}
      messages -> {:error, messages}
    end
  end

  defp cast(:string, text), do: {:ok, text}
  defp cast(:boolean, text) when text in ["true", "false"], do: {:ok, text == "true"}

  defp cast(type, text) do
    with :integer <- type, {number, ""} <- Integer.parse(text), do: {:ok, number}, else: (_ -> nil)
  end
end
# snippet:check
IO.inspect(Settings.load(%{"PORT" => "4000"}))
IO.inspect(Settings.load(%{"PORT" => "http", "DEBUG" => "yes"}))
