package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"sort"
	"strings"
)

// mutant is one fault that is built into the tested package and stays asleep until
// a run names its number.
type mutant struct {
	number int
	// file is relative to the folder of the package.
	file string
	line int
	// function is where it is, as in T.Method or Function; "" for a variable.
	function string
	// change says what is different, in terms of the source.
	change string
}

// key names a mutant in the list of those that are explained. It stays when lines move.
func (m *mutant) key() string { return m.file + " " + m.function + ": " + m.change }

// insertion is text before or after a part of a file.
type insertion struct {
	start, end    int // of the part
	before, after string
	layer         int // of several around the same part, the higher is outside
}

// The layers of insertions around one expression or statement.
const (
	layerValue = iota
	layerBoundary
	layerCondition
	layerResult
	layerStatement
)

// mutator finds the mutants of one file.
type mutator struct {
	fset   *token.FileSet
	info   *types.Info
	pkg    *types.Package
	source []byte
	file   string
	syntax *ast.File

	next     *int
	function string
	// results are those of the function around, which return statements fill.
	results    *types.Tuple
	mutants    []*mutant
	insertions []insertion
}

// rewrite returns the source with all mutants in it.
func (m *mutator) rewrite() []byte {
	for _, declaration := range m.syntax.Decls {
		switch d := declaration.(type) {
		case *ast.FuncDecl:
			if d.Body == nil {
				continue
			}
			m.function = d.Name.Name
			if d.Recv != nil {
				m.function = strings.TrimPrefix(m.text(d.Recv.List[0].Type), "*") + "." + d.Name.Name
			}
			m.body(d.Body, m.info.Defs[d.Name].Type().(*types.Signature).Results())
		case *ast.GenDecl:
			m.function = ""
			if d.Tok == token.VAR {
				for _, spec := range d.Specs {
					for _, value := range spec.(*ast.ValueSpec).Values {
						m.expression(value)
					}
				}
			}
		}
	}
	return m.apply()
}

func (m *mutator) offset(p token.Pos) int { return m.fset.Position(p).Offset }

func (m *mutator) text(n ast.Node) string {
	return string(m.source[m.offset(n.Pos()):m.offset(n.End())])
}

// add makes a mutant and returns its number.
func (m *mutator) add(n ast.Node, change string) int {
	*m.next++
	m.mutants = append(m.mutants, &mutant{
		number: *m.next, file: m.file, line: m.fset.Position(n.Pos()).Line, function: m.function,
		change: strings.Join(strings.Fields(change), " "),
	})
	return *m.next
}

func (m *mutator) around(n ast.Node, layer int, before, after string) {
	m.insertions = append(m.insertions, insertion{m.offset(n.Pos()), m.offset(n.End()), before, after, layer})
}

// apply puts the insertions into the source.
func (m *mutator) apply() []byte {
	type piece struct {
		at, other, layer int
		closes           bool
		text             string
	}
	var pieces []piece
	for _, i := range m.insertions {
		pieces = append(pieces, piece{i.start, i.end, i.layer, false, i.before}, piece{i.end, i.start, i.layer, true, i.after})
	}
	sort.SliceStable(pieces, func(a, b int) bool {
		x, y := pieces[a], pieces[b]
		switch {
		case x.at != y.at:
			return x.at < y.at
		case x.closes != y.closes:
			return x.closes
		case x.other != y.other:
			return x.other > y.other // outer parts begin first, and inner ones end first
		case x.closes:
			return x.layer < y.layer
		}
		return x.layer > y.layer
	})
	var out []byte
	done := 0
	for _, p := range pieces {
		out = append(append(out, m.source[done:p.at]...), p.text...)
		done = p.at
	}
	return append(out, m.source[done:]...)
}

func (m *mutator) body(body *ast.BlockStmt, results *types.Tuple) {
	outer := m.results
	m.results = results
	m.statements(body.List)
	m.results = outer
}

func (m *mutator) statements(list []ast.Stmt) {
	for _, s := range list {
		m.statement(s, true)
	}
}

// statement finds the mutants of a statement. One in a list can be left out.
func (m *mutator) statement(s ast.Stmt, inList bool) {
	switch s := s.(type) {
	case nil:
	case *ast.ExprStmt:
		if inList && !m.isBuiltin(s.X, "panic") {
			m.remove(s)
		}
		m.expression(s.X)
	case *ast.IncDecStmt:
		if inList {
			m.remove(s)
		}
	case *ast.AssignStmt:
		if inList && s.Tok != token.DEFINE {
			m.remove(s)
		}
		for _, value := range s.Rhs {
			m.value(value)
		}
		for _, target := range s.Lhs {
			if index, ok := target.(*ast.IndexExpr); ok {
				m.expression(index)
			}
		}
	case *ast.ReturnStmt:
		m.emptyResults(s)
	case *ast.IfStmt:
		m.statement(s.Init, false)
		m.condition(s.Cond, true, true)
		m.statements(s.Body.List)
		m.statement(s.Else, false)
	case *ast.BlockStmt:
		m.statements(s.List)
	case *ast.ForStmt:
		m.statement(s.Init, false)
		if s.Cond != nil {
			m.condition(s.Cond, false, true)
		}
		m.statement(s.Post, false)
		m.statements(s.Body.List)
	case *ast.RangeStmt:
		m.expression(s.X)
		m.statements(s.Body.List)
	case *ast.SwitchStmt:
		m.statement(s.Init, false)
		if s.Tag != nil {
			m.expression(s.Tag)
		}
		for _, c := range s.Body.List {
			clause := c.(*ast.CaseClause)
			for _, value := range clause.List {
				if s.Tag == nil {
					m.condition(value, true, true)
				} else {
					m.caseValue(value)
				}
			}
			m.statements(clause.Body)
		}
	case *ast.TypeSwitchStmt:
		for _, c := range s.Body.List {
			m.statements(c.(*ast.CaseClause).Body)
		}
	case *ast.SelectStmt:
		for _, c := range s.Body.List {
			m.statements(c.(*ast.CommClause).Body)
		}
	case *ast.LabeledStmt:
		m.statement(s.Stmt, false)
	case *ast.DeferStmt:
		m.expression(s.Call)
	case *ast.GoStmt:
		m.expression(s.Call)
	case *ast.SendStmt:
		m.expression(s.Value)
	case *ast.DeclStmt:
		if d := s.Decl.(*ast.GenDecl); d.Tok == token.VAR {
			for _, spec := range d.Specs {
				for _, value := range spec.(*ast.ValueSpec).Values {
					m.value(value)
				}
			}
		}
	}
}

func (m *mutator) remove(s ast.Stmt) {
	n := m.add(s, "left out: "+m.text(s))
	m.around(s, layerStatement, fmt.Sprintf("if !mutantIs(%d) { ", n), " }")
}

// emptyResults empties what a function returns: no error, an empty string, nil.
func (m *mutator) emptyResults(s *ast.ReturnStmt) {
	failed := m.fails(s)
	for i, result := range s.Results {
		value := m.info.Types[result]
		switch {
		case failed && i < len(s.Results)-1:
			continue // nobody looks at it
		case isBool(value.Type):
			m.value(result)
			continue
		case value.IsNil() || len(s.Results) != m.results.Len():
		case types.Identical(m.results.At(i).Type(), types.Universe.Lookup("error").Type()):
			n := m.add(result, "returns no error instead of "+m.text(result))
			m.around(result, layerResult, "mutantError(", fmt.Sprintf(", %d)", n))
		case value.Value != nil && !isZero(value.Value), value.Value == nil && !m.isEmpty(result):
			if name, ok := m.typeName(m.results.At(i).Type()); ok {
				n := m.add(result, "returns nothing instead of "+m.text(result))
				m.around(result, layerResult, "mutantZero["+name+"](", fmt.Sprintf(", %d)", n))
			}
		}
		m.expression(result)
	}
}

// fails reports a return statement whose last result is an error, or false.
func (m *mutator) fails(s *ast.ReturnStmt) bool {
	if len(s.Results) < 2 || len(s.Results) != m.results.Len() {
		return false
	}
	last := m.info.Types[s.Results[len(s.Results)-1]]
	if last.Value != nil && last.Value.Kind() == constant.Bool {
		return !constant.BoolVal(last.Value)
	}
	return !last.IsNil() && types.Identical(m.results.At(len(s.Results)-1).Type(), types.Universe.Lookup("error").Type())
}

// isEmpty reports a composite literal without elements, which is nothing already.
func (m *mutator) isEmpty(e ast.Expr) bool {
	literal, ok := e.(*ast.CompositeLit)
	return ok && len(literal.Elts) == 0
}

func isZero(v constant.Value) bool {
	switch v.Kind() {
	case constant.String:
		return constant.StringVal(v) == ""
	case constant.Int:
		return constant.Sign(v) == 0
	}
	return false
}

// value is an expression that may be a condition.
func (m *mutator) value(e ast.Expr) {
	if isBool(m.info.Types[e].Type) {
		if c, ok := e.(*ast.Ident); ok && (c.Name == "true" || c.Name == "false") {
			if c.Name == "true" {
				m.setCondition(e, false)
			} else {
				m.setCondition(e, true)
			}
			return
		}
		if m.info.Types[e].IsValue() && !m.isTuple(e) {
			m.condition(e, true, true)
			return
		}
	}
	m.expression(e)
}

func (m *mutator) isTuple(e ast.Expr) bool {
	_, ok := m.info.Types[e].Type.(*types.Tuple)
	return ok
}

// condition finds the mutants of a condition. What && joins is taken for true one after
// the other, and all of it for false; with || it is the other way round. Such a mutant
// dies only if a test depends on that part alone. asTrue and asFalse are what may
// be done to the whole.
func (m *mutator) condition(e ast.Expr, asTrue, asFalse bool) {
	switch c := e.(type) {
	case *ast.ParenExpr:
		m.condition(c.X, asTrue, asFalse)
		return
	case *ast.UnaryExpr:
		if c.Op == token.NOT {
			if _, ok := unparen(c.X).(*ast.BinaryExpr); ok {
				m.condition(c.X, asFalse, asTrue)
				return
			}
		}
	case *ast.BinaryExpr:
		if c.Op == token.LAND || c.Op == token.LOR {
			and := c.Op == token.LAND
			for _, operand := range m.operands(c, c.Op) {
				m.condition(operand, and, !and)
			}
			if and && asFalse {
				m.setCondition(e, false)
			}
			if !and && asTrue {
				m.setCondition(e, true)
			}
			return
		}
	}
	if asTrue {
		m.setCondition(e, true)
	}
	if asFalse {
		m.setCondition(e, false)
	}
	m.expression(e)
}

func unparen(e ast.Expr) ast.Expr {
	for {
		p, ok := e.(*ast.ParenExpr)
		if !ok {
			return e
		}
		e = p.X
	}
}

// operands are what a chain of one operator joins.
func (m *mutator) operands(e ast.Expr, op token.Token) []ast.Expr {
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == op {
		return append(m.operands(b.X, op), m.operands(b.Y, op)...)
	}
	return []ast.Expr{e}
}

func (m *mutator) setCondition(e ast.Expr, to bool) {
	if !isBool(m.info.Types[e].Type) {
		return
	}
	n := m.add(e, fmt.Sprintf("%t instead of %s", to, m.text(e)))
	if to {
		m.around(e, layerCondition, "(", fmt.Sprintf(" || mutantIs(%d))", n))
	} else {
		m.around(e, layerCondition, "(", fmt.Sprintf(" && !mutantIs(%d))", n))
	}
}

func isBool(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && (b.Kind() == types.Bool || b.Kind() == types.UntypedBool)
}

// caseValue makes a case one that never comes.
func (m *mutator) caseValue(e ast.Expr) {
	t := m.info.Types[e]
	if t.Value != nil && t.Value.Kind() == constant.String {
		if name, ok := m.typeName(t.Type); ok {
			n := m.add(e, "without case "+m.text(e))
			m.around(e, layerValue, "mutantText["+name+"](", fmt.Sprintf(", %d)", n))
		}
		return
	}
	m.expression(e)
}

// expression finds the mutants inside an expression.
func (m *mutator) expression(e ast.Expr) {
	if e == nil || m.constant(e, +1) {
		return
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		m.expression(e.X)
	case *ast.UnaryExpr:
		m.expression(e.X)
	case *ast.StarExpr:
		m.expression(e.X)
	case *ast.BinaryExpr:
		m.binary(e)
	case *ast.CallExpr:
		m.expression(e.Fun)
		if m.isBuiltin(e, "make") || m.isBuiltin(e, "new") || strings.HasSuffix(m.text(e.Fun), ".Grow") {
			return // how much room there is
		}
		if t := m.info.Types[e.Fun]; t.IsType() && len(e.Args) == 1 && m.info.Types[e].Value != nil {
			return // a conversion of a constant
		}
		for _, argument := range e.Args {
			m.value(argument)
		}
	case *ast.SelectorExpr:
		m.expression(e.X)
	case *ast.IndexExpr:
		if !m.info.Types[e.Index].IsType() {
			m.expression(e.X)
			m.expression(e.Index)
		}
	case *ast.SliceExpr:
		m.expression(e.X)
		m.expression(e.Low)
		m.expression(e.High)
	case *ast.TypeAssertExpr:
		m.expression(e.X)
	case *ast.CompositeLit:
		for _, element := range e.Elts {
			if pair, ok := element.(*ast.KeyValueExpr); ok {
				m.value(pair.Value)
			} else {
				m.value(element)
			}
		}
	case *ast.FuncLit:
		m.body(e.Body, m.info.Types[e].Type.(*types.Signature).Results())
	}
}

// boundaries are the comparisons that a mutant moves by one value.
var boundaries = map[token.Token]string{token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">"}

func (m *mutator) binary(e *ast.BinaryExpr) {
	switch e.Op {
	case token.LAND, token.LOR:
		m.condition(e, true, true)
		return
	case token.EQL, token.NEQ:
		m.caseOrExpression(e.X)
		m.caseOrExpression(e.Y)
		return
	}
	other, ok := boundaries[e.Op]
	if !ok {
		m.expression(e.X)
		m.expression(e.Y)
		return
	}
	n := m.add(e, fmt.Sprintf("%s instead of %s", other, m.text(e)))
	x, y := m.text(e.X), m.text(e.Y)
	if e.Op == token.LSS || e.Op == token.GTR {
		m.around(e, layerBoundary, "(", fmt.Sprintf(" || mutantIs(%d) && (%s) == (%s))", n, x, y))
	} else {
		m.around(e, layerBoundary, "(", fmt.Sprintf(" && !(mutantIs(%d) && (%s) == (%s)))", n, x, y))
	}
	m.expression(e.X)
	// The boundary is moved the other way by the constant.
	delta := +1
	if e.Op == token.GEQ || e.Op == token.LSS {
		delta = -1
	}
	if !m.constant(e.Y, delta) {
		m.expression(e.Y)
	}
}

func (m *mutator) caseOrExpression(e ast.Expr) {
	if t := m.info.Types[e]; t.Value != nil && t.Value.Kind() == constant.String {
		return // the comparison itself is a condition, which is taken for true and false
	}
	m.expression(e)
}

// constant changes an integer constant by one, or doubles a duration. It reports
// whether e is a constant.
func (m *mutator) constant(e ast.Expr, delta int) bool {
	t, ok := m.info.Types[e]
	if !ok || t.Value == nil {
		return false
	}
	basic, isBasic := t.Type.Underlying().(*types.Basic)
	if !isBasic || basic.Info()&types.IsInteger == 0 || t.Value.Kind() != constant.Int {
		return true
	}
	if v, exact := constant.Int64Val(t.Value); !exact || v == 0 && delta < 0 && basic.Info()&types.IsUnsigned != 0 {
		return true
	}
	if basic.Info()&types.IsUntyped != 0 {
		return true
	}
	name, ok := m.typeName(t.Type)
	if !ok {
		return true
	}
	change := fmt.Sprintf("%+d: %s", delta, m.text(e))
	call := fmt.Sprintf("mutantInt[%s](", name)
	end := fmt.Sprintf(", %d, ", delta)
	if t.Type.String() == "time.Duration" {
		if isZero(t.Value) {
			return true
		}
		change, end = "doubled: "+m.text(e), ", int("+m.text(e)+"), "
	}
	n := m.add(e, change)
	m.around(e, layerValue, call, fmt.Sprintf("%s%d)", end, n))
	return true
}

func (m *mutator) isBuiltin(e ast.Expr, name string) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	identifier, ok := call.Fun.(*ast.Ident)
	if !ok || identifier.Name != name {
		return false
	}
	_, ok = m.info.Uses[identifier].(*types.Builtin)
	return ok
}

// typeName is a type as this file can write it.
func (m *mutator) typeName(t types.Type) (string, bool) {
	writable := true
	name := types.TypeString(t, func(p *types.Package) string {
		if p == m.pkg {
			return ""
		}
		for _, spec := range m.syntax.Imports {
			if path := strings.Trim(spec.Path.Value, `"`); path == p.Path() {
				if spec.Name != nil {
					return spec.Name.Name
				}
				return p.Name()
			}
		}
		writable = false
		return p.Name()
	})
	if p, ok := t.(*types.TypeParam); ok {
		return p.Obj().Name(), true
	}
	return name, writable && !strings.Contains(name, "invalid")
}
