"""Holds the names of an ASP.NET Core file to those that .NET 10 has.

usage: aspnet_names.py <folder of the @tsonic packages> <file>

There is no .NET SDK in the registries, but npm has the public types and members of its shared frameworks. Every type that
the file uses must be declared in it or be in a namespace that it imports (or that web projects import by themselves), and
every member that it uses must be one of some type. Whether the types fit together is left to the reader.
"""
import json
import pathlib
import sys

import tree_sitter_c_sharp
from tree_sitter import Language, Parser

# What the SDK imports into every web project.
IMPLICIT = {
    "System", "System.Collections.Generic", "System.IO", "System.Linq", "System.Net.Http", "System.Net.Http.Json", "System.Threading",
    "System.Threading.Tasks", "Microsoft.AspNetCore.Builder", "Microsoft.AspNetCore.Hosting", "Microsoft.AspNetCore.Http",
    "Microsoft.AspNetCore.Routing", "Microsoft.Extensions.Configuration", "Microsoft.Extensions.DependencyInjection",
    "Microsoft.Extensions.Hosting", "Microsoft.Extensions.Logging",
}
# Entity Framework Core is a package of its own, whose names are not in the registries: those that snippets use, by hand.
BY_HAND = {"Microsoft.EntityFrameworkCore": {
    "DbContext", "DbContextOptions", "DbSet", "DbUpdateConcurrencyException", "Entity", "IsRowVersion", "ModelBuilder", "OriginalValue",
    "Property", "SaveChangesAsync", "Entry", "FindAsync", "OnModelCreating", "AsNoTracking", "ToListAsync", "UseNpgsql", "AddDbContext",
}}


def known(folder):
    """Return the types of each namespace, and the names of all members."""
    types, members = {}, set()
    for file in pathlib.Path(folder).glob("*/**/bindings.json"):
        for kind in json.loads(file.read_text())["targetSurface"]["types"]:
            namespace, _, name = kind["targetName"].split("`")[0].split("+")[0].rpartition(".")
            types.setdefault(namespace, set()).add(name)
            for part in ("methods", "properties", "fields", "events"):
                members.update(m["targetName"] for m in kind[part] if "targetName" in m)
    return types, members


def walk(node):
    yield node
    for child in node.children:
        yield from walk(child)


def main(folder, path):
    source = pathlib.Path(path).read_bytes()
    tree = Parser(Language(tree_sitter_c_sharp.language())).parse(source)
    nodes = list(walk(tree.root_node))
    types, members = known(folder)
    if not types:
        raise SystemExit(f"{folder}: no bindings.json")
    imported = set(IMPLICIT)
    wrong = []
    skip = set()
    for node in nodes:
        if node.type == "using_directive":
            skip.update(n.id for n in walk(node))
            name = node.text.decode().removeprefix("using ").rstrip(";").strip()
            if name in types or name in BY_HAND:
                imported.add(name)
            else:
                wrong.append((node, f"{name} is no namespace of .NET 10"))
    declared = {"var", "dynamic"}
    for node in nodes:
        name = node.child_by_field_name("name")
        if name is not None and (node.type.endswith("_declaration") or node.type in ("parameter", "variable_declarator", "type_parameter", "tuple_element", "enum_member_declaration")):
            declared.add(name.text.decode())
            skip.add(name.id)
    usable = declared | {t for n in imported for t in types.get(n, ())} | {t for n in imported for t in BY_HAND.get(n, ())}
    all_members = members | declared | {t for n in imported for t in BY_HAND.get(n, ())}
    for node in nodes:
        if node.type != "identifier" or node.id in skip or not node.text[:1].isupper():
            continue
        name, parent = node.text.decode(), node.parent
        if parent.type == "generic_name":
            node, parent = parent, parent.parent
        accessed = parent.type in ("member_access_expression", "member_binding_expression") and parent.child_by_field_name("name") == node
        inherited = parent.type in ("invocation_expression", "assignment_expression", "argument", "name_colon", "subpattern", "arrow_expression_clause")
        if parent.type == "attribute" and name + "Attribute" in usable:
            continue
        if accessed and name in all_members | usable or not accessed and name in usable or inherited and name in all_members:
            continue
        if parent.type in ("member_access_expression", "initializer_expression", "binary_expression", "interpolation", "constant_pattern", "await_expression", "return_statement", "conditional_access_expression") and name in all_members:
            continue
        wrong.append((node, f"{name}: no {'member' if accessed else 'type'} of this name in .NET 10 and the imported namespaces"))
    for node, message in wrong:
        print(f"{path}:{node.start_point[0] + 1}: {message}", file=sys.stderr)
    return bool(wrong)


sys.exit(main(*sys.argv[1:]))
