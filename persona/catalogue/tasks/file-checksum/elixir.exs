# snippet:doc https://hexdocs.pm/elixir/File.html#stream!/3 File.stream!
# snippet:prints 5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03
# snippet:prints :error
defmodule Checksum do
  @block 64 * 1024

  @doc "SHA-256 of a file in hexadecimal, streamed in blocks."
  def sha256(path) do
    path
    # from Elixir 1.16 on: File.stream!(@block)
    |> File.stream!([], @block)
    |> Enum.reduce(:crypto.hash_init(:sha256), &:crypto.hash_update(&2, &1))
    |> :crypto.hash_final()
    |> Base.encode16(case: :lower)
  end

  @doc "Compares with a published checksum, whatever its case and the white space around it."
  def verify(path, expected) do
    case {sha256(path), expected |> String.trim() |> String.downcase()} do
      {same, same} -> :ok
      {actual, _} -> {:error, "#{Path.basename(path)} has the checksum #{actual}"}
    end
  end
end
# snippet:check
path = Path.join(System.tmp_dir!(), "snippet-#{System.pid()}")
File.write!(path, "hello\n")
IO.puts(Checksum.sha256(path))
IO.inspect(elem(Checksum.verify(path, "00"), 0))
File.rm!(path)
