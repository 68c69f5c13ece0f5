# snippet:doc https://hexdocs.pm/elixir/Enum.html#split/2 Enum.split
# snippet:prints 36642e73
# snippet:prints false
defmodule Merkle do
  @doc "The Merkle tree hash of RFC 9162: leaves and nodes have different prefixes."
  def root([]), do: sha256("")
  def root([leaf]), do: sha256([<<0>>, leaf])

  def root(leaves) do
    {left, right} = Enum.split(leaves, split_point(length(leaves)))
    sha256([<<1>>, root(left), root(right)])
  end

  # The largest power of two that is smaller than n.
  defp split_point(n, power \\ 1)
  defp split_point(n, power) when power * 2 < n, do: split_point(n, power * 2)
  defp split_point(_n, power), do: power

  defp sha256(iodata), do: :crypto.hash(:sha256, iodata)
end
# snippet:check
IO.puts(Merkle.root(["a", "b", "c"]) |> Base.encode16(case: :lower) |> binary_part(0, 8))
IO.puts(Merkle.root(["a", "b", "c"]) == Merkle.root(["a", "b", "d"]))
