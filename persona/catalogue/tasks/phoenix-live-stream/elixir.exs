# snippet:doc https://hexdocs.pm/phoenix_live_view/Phoenix.LiveView.html#stream/4 Phoenix.LiveView.stream
# snippet:about Phoenix
# snippet:into Put it into a Phoenix application, and live "/orders", OrdersLive into its router.
# snippet:needs Phoenix LiveView 1.0
defmodule ShopWeb.OrdersLive do
  use ShopWeb, :live_view

  alias Shop.Orders

  @shown 50

  def mount(_params, _session, socket) do
    # mount runs twice: for the first HTML, and again over the socket.
    if connected?(socket), do: Phoenix.PubSub.subscribe(Shop.PubSub, "orders")

    {:ok, stream(socket, :orders, Orders.list_latest(@shown), limit: @shown)}
  end

  # Orders is yours: it broadcasts this after the transaction, never inside.
  def handle_info({:order_placed, order}, socket) do
    {:noreply, stream_insert(socket, :orders, order, at: 0, limit: @shown)}
  end

  def render(assigns) do
    ~H"""
    <ul id="orders" phx-update="stream">
      <li :for={{id, order} <- @streams.orders} id={id}>
        {order.number}: {order.customer}
      </li>
    </ul>
    """
  end
end
