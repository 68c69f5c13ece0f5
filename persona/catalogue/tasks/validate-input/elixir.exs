# snippet:doc https://hexdocs.pm/elixir/Regex.html Regex
# snippet:prints {:error, %{email: ["must look like ada@example.com"], name: ["can't be blank"], password: ["needs at least 12 characters"]}}
defmodule SignUp do
  @rules [
    name: [{&__MODULE__.filled?/1, "can't be blank"}],
    email: [{&__MODULE__.email?/1, "must look like ada@example.com"}],
    password: [{&__MODULE__.long?/1, "needs at least 12 characters"}]
  ]

  @doc "Of a map of texts: `{:ok, params}` or `{:error, messages by field}` with all problems at once."
  def validate(params) do
    errors =
      for {field, checks} <- @rules,
          {valid?, message} <- checks,
          value = Map.get(params, to_string(field), ""),
          not valid?.(value),
          reduce: %{} do
        acc -> Map.update(acc, field, [message], &[message | &1])
      end

    if errors == %{}, do: {:ok, params}, else: {:error, errors}
  end

  def filled?(text), do: String.trim(text) != ""
  def email?(text), do: text =~ ~r/\A[^@\s]+@[^@\s.]+(\.[^@\s.]+)+\z/
  def long?(text), do: String.length(text) >= 12
end
# snippet:check
IO.inspect(SignUp.validate(%{"name" => " ", "email" => "ada@", "password" => "short"}), width: 200)
{:ok, _} = SignUp.validate(%{"name" => "Ada", "email" => "ada@example.com", "password" => "correct horse battery"})
