# snippet:doc https://flask.palletsprojects.com/en/stable/errorhandling/#returning-api-errors-as-json API errors as JSON
# snippet:about Flask
# snippet:usage
# snippet:prints 404 {'error': 'Not Found'} ['']
# snippet:prints 405 {'error': 'Method Not Allowed'} ['GET', 'HEAD', 'OPTIONS']
# snippet:prints 500 {'error': 'Internal Server Error'} ['']
# snippet:end
from flask import Flask, json
from werkzeug.exceptions import HTTPException

app = Flask(__name__)


@app.errorhandler(HTTPException)
def http_error(error):
    response = error.get_response()  # with its own header fields, such as Allow
    response.data = json.dumps({"error": error.name})
    response.content_type = "application/json"
    return response


@app.errorhandler(Exception)
def bug(error):
    app.logger.exception("request failed")  # the whole story is for us
    return {"error": "Internal Server Error"}, 500


@app.get("/report")
def report():
    return {"mean": 1 / 0}


# snippet:usage
app.logger.disabled = True
client = app.test_client()
for response in (client.get("/nothing"), client.post("/report"), client.get("/report")):
    print(response.status_code, response.json, sorted(response.headers.get("Allow", "").split(", ")))
