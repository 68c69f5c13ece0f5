# snippet:doc https://hexdocs.pm/ecto/Ecto.Repo.html#c:transact/2 Ecto.Repo.transact
# snippet:about Phoenix
# snippet:needs Ecto 3.13, on PostgreSQL
defmodule Shop.Orders do
  import Ecto.Query

  # the schemas are yours
  alias Shop.{Catalog.Product, Orders.Order, Repo}

  # Not within another transaction: its commit would come after the broadcast.
  def place_order(user, product_id, quantity) when is_integer(quantity) and quantity > 0 do
    result =
      Repo.transact(fn ->
        with {:ok, product} <- take_stock(product_id, quantity) do
          %Order{user_id: user.id, product_id: product.id}
          |> Order.changeset(%{quantity: quantity, cents: product.cents * quantity})
          |> Repo.insert()
        end
      end)

    with {:ok, order} <- result do
      Phoenix.PubSub.broadcast(Shop.PubSub, "orders", {:order_placed, order})
      {:ok, order}
    end
  end

  defp take_stock(product_id, quantity) do
    query = from p in Product, where: p.id == ^product_id and p.stock >= ^quantity, select: p

    case Repo.update_all(query, inc: [stock: -quantity]) do
      {1, [product]} -> {:ok, product}
      {0, _} -> {:error, :out_of_stock}
    end
  end
end
