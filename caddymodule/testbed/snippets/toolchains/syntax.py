"""Parses a file with a tree-sitter grammar; a syntax error is told with its place and is a failure.

usage: syntax.py <grammar module> <file>
"""
import importlib
import sys

from tree_sitter import Language, Parser

grammar, path = sys.argv[1:]
source = open(path, "rb").read()
tree = Parser(Language(importlib.import_module(grammar).language())).parse(source)


def errors(node):
    if node.is_error or node.is_missing:
        yield node
    elif node.has_error:
        for child in node.children:
            yield from errors(child)


wrong = list(errors(tree.root_node))
for node in wrong:
    row, column = node.start_point
    text = source[node.start_byte : node.end_byte].decode(errors="replace")[:60]
    print(f"{path}:{row + 1}:{column + 1}: {'missing' if node.is_missing else 'not understood'}: {text!r}", file=sys.stderr)
sys.exit(bool(wrong))
