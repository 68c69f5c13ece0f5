# snippet:doc https://flask.palletsprojects.com/en/stable/patterns/viewdecorators/ View decorators
# snippet:about Flask
# snippet:needs Flask 2.1
# snippet:usage
import os
os.environ["FLASK_SECRET_KEY"] = "only for this run"  # in earnest a secret, set outside of the code
# snippet:end
from functools import wraps

from flask import Flask, g, redirect, session, url_for
from markupsafe import escape

app = Flask(__name__)
app.config.from_prefixed_env()  # FLASK_SECRET_KEY signs the cookie


def login_required(view):
    @wraps(view)
    def guarded(*args, **kwargs):
        if "user" not in session:
            return redirect(url_for("login"))
        g.user = session["user"]
        return view(*args, **kwargs)

    return guarded


def log_in(name):
    session.clear()
    session["user"] = name


@app.get("/")
@login_required
def home():
    return f"Hello {escape(g.user)}"


@app.get("/login")
def login():
    return "your form"


# snippet:usage
# snippet:prints 302 /login
@app.post("/login")
def do_login():
    log_in("ada")  # whose password was right
    return redirect("/")


client = app.test_client()
first = client.get("/")
print(first.status_code, first.location)
# snippet:check
# snippet:prints Hello ada
# snippet:prints 302 /login
client.post("/login")
print(client.get("/").text)
with client.session_transaction() as marked:
    marked["user"] = "<b>"
assert client.get("/").text == "Hello &lt;b&gt;"
last = app.test_client().get("/", headers={"Cookie": "session=forged.value.here"})
print(last.status_code, last.location)
