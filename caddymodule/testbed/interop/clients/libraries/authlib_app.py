"""Authlib (https://pypi.org/project/Authlib/), with Flask."""

import json
import threading

import flask
from authlib.integrations.flask_client import OAuth
from werkzeug.serving import make_server

from person import client_id, client_secret, issuer, scope, session, step, walk

base = f"http://localhost:{session['spa_port']}"
app = flask.Flask(__name__)
app.secret_key = "of-this-test-alone"
server_metadata_url = issuer + "/.well-known/openid-configuration"
client_kwargs = {"scope": scope, "code_challenge_method": "S256"}
renewed = []
oauth = OAuth(app, update_token=lambda name, token, **old: renewed.append(token))
gateway = oauth.register("gateway", client_id=client_id, client_secret=client_secret, server_metadata_url=server_metadata_url, client_kwargs=client_kwargs)


@app.get("/login")
def login():
    return gateway.authorize_redirect(base + "/callback")


@app.get("/callback")
def callback():
    token = gateway.authorize_access_token()
    info = gateway.userinfo(token=token)
    gateway.get(issuer + "/userinfo", token={**token, "expires_at": 1})  # as an expired one
    return {"user": token["userinfo"], "info": info, "renewed": renewed[0]["access_token"] != token["access_token"]}


server = make_server("localhost", session["spa_port"], app)
threading.Thread(target=server.serve_forever, daemon=True).start()
page = {}


def log_in():
    page.update(json.loads(walk(base + "/login")["page"]))
    return page["user"]["sub"]


step("login", log_in)
step("userinfo", lambda: page["info"]["email"])
step("refresh", lambda: page["renewed"])
server.shutdown()
