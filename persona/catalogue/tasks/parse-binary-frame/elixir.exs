# snippet:doc https://hexdocs.pm/elixir/Kernel.SpecialForms.html#%3C%3C%3E%3E/1 Binaries and bit syntax
# snippet:needs Elixir 1.14
# snippet:prints {:ok, [{1, "hi"}, {2, ""}], <<77, 88, 1, 0>>}
# snippet:prints {:error, {:not_a_frame, "HT"}}
# snippet:prints {:error, {:not_a_frame, "X"}}
defmodule Frame do
  @doc """
  Takes all complete frames out of a binary: magic "MX", kind, length (16 bits,
  big-endian), payload. The rest waits for more bytes. Where wrong bytes stand
  between frames, none is returned.
  """
  def decode(binary, frames \\ [])

  def decode(<<"MX", kind, size::16, payload::binary-size(size), rest::binary>>, frames),
    do: decode(rest, [{kind, payload} | frames])

  def decode(<<"MX", _::binary>> = rest, frames), do: {:ok, Enum.reverse(frames), rest}
  def decode(rest, frames) when rest in ["", "M"], do: {:ok, Enum.reverse(frames), rest}
  def decode(wrong, _), do: {:error, {:not_a_frame, binary_slice(wrong, 0, 2)}}

  def encode(kind, payload) when kind in 0..255 and byte_size(payload) < 65_536,
    do: <<"MX", kind, byte_size(payload)::16, payload::binary>>
end
# snippet:check
IO.inspect(Frame.decode(Frame.encode(1, "hi") <> Frame.encode(2, "") <> "MX\x01\x00"))
IO.inspect(Frame.decode("HTTP/1.1"))
IO.inspect(Frame.decode("X"))
