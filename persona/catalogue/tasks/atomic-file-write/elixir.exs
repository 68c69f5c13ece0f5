# snippet:doc https://hexdocs.pm/elixir/File.html#rename/2 File.rename
# snippet:prints {"a":1} 1
# snippet:prints {:error, "cannot write such: no such file or directory"}
defmodule AtomicFile do
  @doc """
  Replaces a file: readers see the old content or the new one, never half.
  The permissions are those of any new file.
  """
  def write(path, content) do
    temporary = "#{path}.#{Base.encode16(:crypto.strong_rand_bytes(8))}.tmp"

    with :ok <- File.write(temporary, content, [:exclusive, :sync]),
         :ok <- File.rename(temporary, path) do
      :ok
    else
      {:error, reason} ->
        File.rm(temporary)
        {:error, "cannot write #{Path.basename(path)}: #{:file.format_error(reason)}"}
    end
  end
end
# snippet:check
dir = Path.join(System.tmp_dir!(), "snippet-#{System.pid()}")
File.mkdir_p!(dir)
path = Path.join(dir, "settings.json")
:ok = AtomicFile.write(path, "{}")
:ok = AtomicFile.write(path, ~s({"a":1}))
IO.puts("#{File.read!(path)} #{length(File.ls!(dir))}")
IO.inspect(AtomicFile.write(Path.join(dir, "no/such"), ""))
File.rm_rf!(dir)
