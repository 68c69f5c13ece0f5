# snippet:doc https://hexdocs.pm/elixir/String.html#pad_trailing/3 String.pad_trailing
# snippet:prints | service  | errors |
# snippet:prints | -------- | ------ |
# snippet:prints | checkout | 3      |
# snippet:prints | a\|b c   | -      |
# snippet:prints | Å х      | 0      |
defmodule MarkdownTable do
  @doc "An aligned table of maps: readable in a terminal and in a pull request."
  def render(rows, columns) do
    table = for row <- rows, do: for(column <- columns, do: cell(row[column]))
    header = Enum.map(columns, &cell/1)

    widths =
      [header | table]
      |> Enum.zip_with(fn cells -> cells |> Enum.map(&String.length/1) |> Enum.max() |> max(3) end)

    rule = Enum.map(widths, &String.duplicate("-", &1))
    [header, rule | table] |> Enum.map_join("\n", &line(&1, widths))
  end

  defp line(cells, widths) do
    padded = Enum.zip_with(cells, widths, &String.pad_trailing/2)
    "| " <> Enum.join(padded, " | ") <> " |"
  end

  defp cell(nil), do: "-"
  defp cell(value), do: value |> to_string() |> String.replace("|", "\\|") |> String.replace(~r/\R/u, " ")
end
# snippet:check
IO.puts(MarkdownTable.render([%{service: "checkout", errors: 3}, %{service: "a|b\r\nc", errors: nil}, %{service: "Å х", errors: 0}], [:service, :errors]))
