# snippet:doc https://docs.pytest.org/en/stable/how-to/mark.html Marking tests
# snippet:about pytest
# snippet:check
# snippet:prints 2 passed
# snippet:end
# pytest -m "not slow"
# with, in pyproject.toml:  [tool.pytest.ini_options]
#                           addopts = "--strict-markers"
#                           markers = ["slow: takes more than a second"]
import shutil
import subprocess

import pytest


@pytest.mark.slow
def test_the_full_archive():
    total = sum(range(3_000_000))
    assert total == 4_499_998_500_000


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_git_answers():
    version = subprocess.run(["git", "--version"], capture_output=True, text=True, check=True)
    assert version.stdout.startswith("git version")
