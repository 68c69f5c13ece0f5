// Package doctest reads Markdown files, as CommonMark and GitHub do, and tests the
// project's: commands and programs are run, Caddyfiles loaded, and every link leads somewhere.
//
// What a block is, its language says:
//
//	caddyfile      is formatted by `caddy fmt`, adapts, and its modules are provisioned;
//	               directives without a site get one
//	sh, console    is run in the root of the repository, against `make run`; of a
//	               console, the output is compared, where "…" stands for anything
//	go             is run; what is not a whole program gets a main, and imports segment.
//	               "// Output:" at its end is compared
//	toml, yaml, conf,
//	mermaid, text  is for reading
//
// An HTML comment directly before a block says what is special about it:
//
//	<!-- not run: <reason> -->  it can't be run by a test, and why. It is still
//	                            formatted and parsed
//	<!-- syntax -->             a synopsis with <placeholders>, in columns as Caddy's own
package doctest
