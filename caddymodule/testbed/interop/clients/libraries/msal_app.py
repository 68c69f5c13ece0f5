"""MSAL for Python (https://pypi.org/project/msal/)."""

import msal

from person import client_id, client_secret, issuer, log_in, redirect_uri, step

app = msal.ConfidentialClientApplication(client_id, client_credential=client_secret, oidc_authority=issuer)
result = {}


def login():
    flow = app.initiate_auth_code_flow(["email"], redirect_uri=redirect_uri)
    result.update(app.acquire_token_by_auth_code_flow(flow, log_in(flow["auth_uri"])))
    assert "error" not in result, result
    return result["id_token_claims"]["email"]


def refresh():
    fresh = app.acquire_token_silent(["email"], app.get_accounts()[0], force_refresh=True)
    return fresh["access_token"] != result["access_token"]


step("login", login)
step("refresh", refresh)
