# snippet:doc https://hexdocs.pm/phoenix/plug.html#module-plugs Plug: module plugs
# snippet:about Phoenix
defmodule ShopWeb.Plugs.RequireToken do
  @behaviour Plug

  import Plug.Conn

  @impl true
  def init(opts), do: opts

  @impl true
  def call(conn, _opts) do
    with [header] <- get_req_header(conn, "authorization"),
         [scheme, token] <- String.split(header, " ", parts: 2),
         "bearer" <- String.downcase(scheme),
         # SHA-256 is enough for a random token, not for a password. The context's function is yours.
         hash = :crypto.hash(:sha256, token),
         %Shop.Accounts.User{} = user <- Shop.Accounts.get_user_by_token_hash(hash) do
      assign(conn, :current_user, user)
    else
      _ ->
        conn
        |> put_resp_header("www-authenticate", ~s(Bearer realm="api"))
        |> send_resp(:unauthorized, "")
        |> halt()
    end
  end
end

# In the router:
#   pipeline :api do
#     plug :accepts, ["json"]
#     plug ShopWeb.Plugs.RequireToken
#   end
