# snippet:doc https://docs.python.org/3/library/unittest.html#distinguishing-test-iterations-using-subtests Test iterations with subTest
# snippet:into Save it as test_slugify.py: python -m unittest
import re
import unittest


def slugify(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


class SlugifyTest(unittest.TestCase):
    CASES = [
        ("plain words", "Hello World", "hello-world"),
        ("punctuation collapses", "C++ & Rust!?", "c-rust"),
        ("edges are trimmed", "  --spaced-- ", "spaced"),
        ("nothing usable", "???", ""),
    ]

    def test_cases(self) -> None:
        for name, title, want in self.CASES:
            # subTest reports each failing case by name and goes on with the next.
            with self.subTest(name):
                self.assertEqual(slugify(title), want)
# snippet:check


result = unittest.TextTestRunner(stream=open("/dev/null", "w")).run(
    unittest.defaultTestLoader.loadTestsFromTestCase(SlugifyTest)
)
print(result.testsRun, result.wasSuccessful())
# snippet:prints 1 True
