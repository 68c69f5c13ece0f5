"""requests-oauthlib (https://pypi.org/project/requests-oauthlib/), which knows no metadata."""

from requests_oauthlib import OAuth2Session

from person import client_id, issuer, log_in, redirect_uri, scope, step

gateway = OAuth2Session(client_id, redirect_uri=redirect_uri, scope=scope.split(), pkce="S256")
authorize_url, token_url = issuer + "/authorize", issuer + "/oauth/token"


def login():
    url, state = gateway.authorization_url(authorize_url)
    response = log_in(url)
    assert response["state"] == state
    return gateway.fetch_token(token_url, code=response["code"], include_client_id=True)["access_token"]


def refresh():
    before = gateway.token["access_token"]
    return gateway.refresh_token(token_url, client_id=client_id)["access_token"] != before


step("login", login)
step("userinfo", lambda: gateway.get(issuer + "/userinfo").json()["email"])
step("refresh", refresh)
