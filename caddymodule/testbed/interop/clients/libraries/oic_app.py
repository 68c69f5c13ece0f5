"""pyoidc (https://pypi.org/project/oic/), whose client does not send the verifier of its PKCE."""

from oic.oic import Client
from oic.oic.message import AuthorizationResponse
from oic.utils.authn.client import CLIENT_AUTHN_METHOD
from person import client_id, client_secret, issuer, log_in, redirect_uri, step

client = Client(client_id=client_id, client_authn_method=CLIENT_AUTHN_METHOD)
client.client_secret = client_secret
client.provider_config(issuer)


def login():
    args = {"response_type": "code", "scope": ["openid", "email"], "redirect_uri": redirect_uri, "state": "state", "nonce": "nonce-of-this-login"}
    url = client.construct_AuthorizationRequest(request_args=args).request(client.authorization_endpoint)
    response = client.parse_response(AuthorizationResponse, info=log_in(url), sformat="dict")
    tokens = client.do_access_token_request(state="state", request_args={"code": response["code"]})
    return tokens["id_token"]["sub"] and tokens["id_token"]["nonce"] == args["nonce"]


step("login", login)
step("userinfo", lambda: client.do_user_info_request(method="GET", state="state")["email"])
