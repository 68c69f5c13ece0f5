# snippet:doc https://hexdocs.pm/ecto/Ecto.Changeset.html Ecto.Changeset
# snippet:about Phoenix
# snippet:into Put it into a Phoenix application that has the table users, and the migration into priv/repo/migrations.
defmodule Shop.Accounts.User do
  use Ecto.Schema
  import Ecto.Changeset

  schema "users" do
    field :email, :string
    field :name, :string
    field :role, Ecto.Enum, values: [:member, :admin], default: :member
    timestamps(type: :utc_datetime)
  end

  def registration_changeset(user, params) do
    user
    |> cast(params, [:email, :name])
    |> validate_required([:email, :name])
    |> update_change(:email, &String.downcase/1)
    |> validate_format(:email, ~r/\A[^\s@]+@[^\s@]+\z/, message: "must look like ada@example.com")
    |> validate_length(:email, max: 254, count: :codepoints)
    |> validate_length(:name, max: 80, count: :codepoints)
    |> unique_constraint(:email)
  end
end

defmodule Shop.Repo.Migrations.UsersEmailIndex do
  use Ecto.Migration

  def change, do: create(unique_index(:users, [:email]))
end
