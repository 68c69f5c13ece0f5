# snippet:doc https://flask.palletsprojects.com/en/stable/patterns/streaming/ Streaming contents
# snippet:about Flask
# snippet:usage
# snippet:end
import csv
import io
from itertools import chain

from flask import Flask, Response

app = Flask(__name__)


def csv_lines(header, rows):
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    for row in chain([header], rows):  # the header also when no row follows
        writer.writerow(row)
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()


@app.get("/orders.csv")
def orders():
    rows = [("Mills, Ada", "12.50")]  # in production: a cursor that is open until the last row is sent
    headers = {"Content-Disposition": "attachment; filename=orders.csv"}
    return Response(csv_lines(["name", "total"], rows), mimetype="text/csv", headers=headers)


# snippet:usage
# snippet:prints text/csv; charset=utf-8
# snippet:prints name,total
# snippet:prints "Mills, Ada",12.50
response = app.test_client().get("/orders.csv")
print(response.content_type)
print(response.get_data(as_text=True).replace("\r\n", "\n").strip())
# snippet:check
assert list(csv_lines(["name"], [])) == ["name\r\n"]
