# snippet:doc https://flask.palletsprojects.com/en/stable/cli/#custom-commands Custom commands
# snippet:about Flask
# snippet:usage
# snippet:prints 0 removed 2 drafts older than 30 days
# snippet:prints 1 Error: --days must be positive
# snippet:end
import click
from flask import Flask

app = Flask(__name__)
app.config["DRAFTS"] = {"a": 90, "b": 45, "c": 3}  # name to age in days; in production: a table


@app.cli.command("remove-drafts")
@click.option("--days", default=30, show_default=True, help="Remove what is older.")
def remove_drafts(days):
    """Remove old drafts: flask remove-drafts --days 60."""
    if days <= 0:
        raise click.ClickException("--days must be positive")
    old = [name for name, age in app.config["DRAFTS"].items() if age > days]
    for name in old:
        del app.config["DRAFTS"][name]
    click.echo(f"removed {len(old)} drafts older than {days} days")


# snippet:usage
runner = app.test_cli_runner()
for arguments in (["remove-drafts"], ["remove-drafts", "--days", "-1"]):
    result = runner.invoke(args=arguments)
    print(result.exit_code, result.output.strip())
