# snippet:doc https://flask.palletsprojects.com/en/stable/blueprints/ Blueprints
# snippet:about Flask
# snippet:usage
# snippet:end
from flask import Blueprint, Flask, abort, url_for

books = Blueprint("books", __name__)
TITLES = {1: "Emma"}


@books.get("/")
def index():
    return {"books": [{"title": t, "url": url_for("books.show", book_id=i)} for i, t in TITLES.items()]}


@books.get("/<int:book_id>")
def show(book_id):
    return {"title": TITLES.get(book_id) or abort(404)}


app = Flask(__name__)
app.register_blueprint(books, url_prefix="/v1/books")  # the only place that knows the version

# snippet:usage
# snippet:prints {'books': [{'title': 'Emma', 'url': '/v1/books/1'}]}
# snippet:prints 404
client = app.test_client()
print(client.get("/v1/books/").json)
# snippet:check
assert client.get("/v1/books/1").json == {"title": "Emma"}
# snippet:usage
print(client.get("/v1/books/2").status_code)
