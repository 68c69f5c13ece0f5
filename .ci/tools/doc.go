// Package tools holds nothing: its module pins the tools that only build or
// check the project, so that they are in nobody else's module graph.
package tools

import _ "github.com/oapi-codegen/runtime" // what oapi-codegen makes imports it: .ci/openapi
