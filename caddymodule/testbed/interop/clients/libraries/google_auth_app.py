"""google-auth-oauthlib (https://pypi.org/project/google-auth-oauthlib/), which knows no metadata, and google-auth."""

import google.auth.transport.requests
from google.oauth2 import id_token
from google_auth_oauthlib.flow import Flow

from person import client_id, client_secret, issuer, log_in, redirect_uri, scope, step

installed = {"client_id": client_id, "client_secret": client_secret, "auth_uri": issuer + "/authorize", "token_uri": issuer + "/oauth/token"}
flow = Flow.from_client_config({"installed": installed}, scope.split(), redirect_uri=redirect_uri)
request = google.auth.transport.requests.Request()


def login():
    url, state = flow.authorization_url()
    response = log_in(url)
    assert response["state"] == state
    flow.fetch_token(code=response["code"])
    user = id_token.verify_token(flow.credentials.id_token, request, client_id, issuer + "/.well-known/jwks.json")
    return user["iss"] == issuer and user["email"]


def refresh():
    before = flow.credentials.token
    credentials = flow.credentials
    credentials.refresh(request)
    return credentials.token != before


step("login", login)
step("refresh", refresh)
