# snippet:doc https://flask.palletsprojects.com/en/stable/patterns/appfactories/ Application factories
# snippet:about Flask
# snippet:needs Flask 2.1
from flask import Flask


def create_app(settings=None):
    app = Flask(__name__)
    app.config.from_mapping(PAGE_SIZE=20, DATABASE="shop.db")
    app.config.from_prefixed_env("SHOP")  # SHOP_PAGE_SIZE=50, read as JSON: a number
    app.config.from_mapping(settings or {})

    @app.get("/about")
    def about():
        return {"page_size": app.config["PAGE_SIZE"]}

    return app


# snippet:usage
# snippet:prints {'page_size': 50}
# snippet:prints {'page_size': 2}
import os

os.environ["SHOP_PAGE_SIZE"] = "50"
print(create_app().test_client().get("/about").json)
print(create_app({"PAGE_SIZE": 2}).test_client().get("/about").json)
