# snippet:doc https://hexdocs.pm/phoenix/testing_controllers.html Testing controllers
# snippet:about Phoenix
# snippet:needs Phoenix 1.7
defmodule ShopWeb.OrderControllerTest do
  use ShopWeb.ConnCase, async: true
  # They insert an order and a user: yours, as are the routes and the tokens.
  import Shop.Fixtures, only: [order_fixture: 1, user_fixture: 0]

  setup %{conn: conn} do
    user = user_fixture()
    conn = put_req_header(conn, "authorization", "Bearer " <> Shop.Accounts.create_token!(user))
    %{conn: conn, user: user}
  end

  test "shows an order of the user", %{conn: conn, user: user} do
    order = order_fixture(user: user, cents: 1_250)

    assert %{"data" => %{"id" => id, "total_cents" => 1_250}} =
             conn |> get(~p"/api/orders/#{order}") |> json_response(200)

    assert id == order.id
  end

  test "hides the order of somebody else", %{conn: conn} do
    order = order_fixture(user: user_fixture())

    assert conn |> get(~p"/api/orders/#{order}") |> json_response(404)
  end

  test "asks for a token", %{conn: conn} do
    conn = conn |> delete_req_header("authorization") |> get(~p"/api/orders")
    assert response(conn, 401)
  end
end
