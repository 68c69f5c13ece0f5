# snippet:doc https://hexdocs.pm/phoenix/presence.html Presence
# snippet:about Phoenix
# snippet:into Put it into a Phoenix application, and live "/documents/:id", DocumentLive into its router.
# snippet:needs Phoenix LiveView 1.0
defmodule ShopWeb.Presence do
  # A child of the application's supervisor, after PubSub.
  use Phoenix.Presence, otp_app: :shop, pubsub_server: Shop.PubSub
end

defmodule ShopWeb.DocumentLive do
  use ShopWeb, :live_view

  def mount(%{"id" => id}, _session, socket) do
    # An on_mount hook has assigned it. Shop.Documents is yours.
    user = socket.assigns.current_user
    topic = "document:#{Shop.Documents.get_document!(user, id).id}"

    if connected?(socket) do
      Phoenix.PubSub.subscribe(Shop.PubSub, topic)
      {:ok, _ref} = ShopWeb.Presence.track(self(), topic, user.id, %{name: user.name})
    end

    {:ok, assign(socket, topic: topic, people: people(topic))}
  end

  def handle_info(%Phoenix.Socket.Broadcast{event: "presence_diff"}, socket) do
    {:noreply, assign(socket, people: people(socket.assigns.topic))}
  end

  def render(assigns), do: ~H"<p>{length(@people)} here: <b :for={name <- @people}>{name} </b></p>"

  defp people(topic) do
    for {_user_id, %{metas: [meta | _tabs]}} <- ShopWeb.Presence.list(topic), do: meta.name
  end
end
