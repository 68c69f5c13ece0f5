# snippet:doc https://hexdocs.pm/phoenix/channels.html#using-token-authentication Channels: token authentication
# snippet:about Phoenix
# In the endpoint: socket "/socket", ShopWeb.UserSocket, websocket: true
# The page gives its client Phoenix.Token.sign(conn, "user socket", user.id) as the parameter token.
defmodule ShopWeb.UserSocket do
  use Phoenix.Socket
  channel "room:*", ShopWeb.RoomChannel

  def connect(%{"token" => token}, socket, _connect_info) when is_binary(token) do
    case Phoenix.Token.verify(socket, "user socket", token, max_age: 86_400) do
      {:ok, user_id} -> {:ok, assign(socket, :user_id, user_id)}
      {:error, _reason} -> :error
    end
  end

  def connect(_params, _socket, _connect_info), do: :error

  def id(socket), do: "users:#{socket.assigns.user_id}"
end

defmodule ShopWeb.RoomChannel do
  use ShopWeb, :channel

  # Shop.Rooms is yours: it knows who belongs to a room.
  def join("room:" <> room, _params, socket) do
    if Shop.Rooms.member?(room, socket.assigns.user_id), do: {:ok, socket}, else: {:error, %{reason: "unauthorized"}}
  end

  def handle_in("message", %{"text" => text}, socket) when is_binary(text) and byte_size(text) <= 2_000 do
    broadcast_from!(socket, "message", %{text: text, from: socket.assigns.user_id})
    {:reply, :ok, socket}
  end

  def handle_in("message", _params, socket), do: {:reply, {:error, %{reason: "invalid"}}, socket}
end
