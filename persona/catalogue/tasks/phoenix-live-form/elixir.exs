# snippet:doc https://hexdocs.pm/phoenix_live_view/form-bindings.html Form bindings
# snippet:about Phoenix
# snippet:into Put it into a Phoenix application, and live "/contact", ContactLive into its router.
# snippet:needs Phoenix LiveView 1.0
defmodule ShopWeb.ContactLive do
  use ShopWeb, :live_view
  # A context as phx.gen.live writes it without a scope.
  alias Shop.Contacts

  def mount(_params, _session, socket), do: {:ok, assign_form(socket, Contacts.change_message(%Contacts.Message{}))}

  def handle_event("validate", %{"message" => params}, socket) do
    {:noreply, assign_form(socket, Contacts.change_message(%Contacts.Message{}, params), action: :validate)}
  end

  def handle_event("save", %{"message" => params}, socket) do
    case Contacts.create_message(params) do
      {:ok, _} -> {:noreply, push_navigate(put_flash(socket, :info, "Sent"), to: ~p"/")}
      {:error, changeset} -> {:noreply, assign_form(socket, changeset)}
    end
  end

  def render(assigns) do
    ~H"""
    <.form for={@form} id="contact" phx-change="validate" phx-submit="save">
      <.input field={@form[:email]} type="email" label="Email" phx-debounce="blur" />
      <.input field={@form[:text]} type="textarea" label="Message" />
      <button phx-disable-with="Sending...">Send</button>
    </.form>
    """
  end

  defp assign_form(socket, changeset, opts \\ []), do: assign(socket, form: to_form(changeset, opts))
end
