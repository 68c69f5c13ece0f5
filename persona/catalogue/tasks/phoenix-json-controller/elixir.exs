# snippet:doc https://hexdocs.pm/phoenix/controllers.html#action-fallback Action fallback
# snippet:about Phoenix
# snippet:into Put it into a Phoenix application whose scope "/api" has resources "/orders", OrderController, with a show of your own, behind a plug that assigns current_user.
# snippet:needs Phoenix 1.7
defmodule ShopWeb.OrderController do
  use ShopWeb, :controller

  alias Shop.Orders

  action_fallback ShopWeb.FallbackController

  def create(conn, %{"order" => params}) do
    with {:ok, order} <- Orders.create_order(conn.assigns.current_user, params) do
      conn
      |> put_status(:created)
      |> put_resp_header("location", ~p"/api/orders/#{order}")
      |> json(%{data: %{id: order.id, total_cents: order.total_cents}})
    end
  end
end

defmodule ShopWeb.FallbackController do
  use ShopWeb, :controller

  def call(conn, {:error, :not_found}) do
    conn |> put_status(:not_found) |> json(%{error: "not found"})
  end

  def call(conn, {:error, %Ecto.Changeset{} = changeset}) do
    # An application made without HTML has no CoreComponents: write translate_error yourself there.
    errors = Ecto.Changeset.traverse_errors(changeset, &ShopWeb.CoreComponents.translate_error/1)
    conn |> put_status(:unprocessable_entity) |> json(%{errors: errors})
  end
end
