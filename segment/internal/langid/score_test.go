package langid

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// plain are snippets of common languages that leave no doubt.
var plain = []struct{ label, code string }{
	{"go", "func (s *Server) Close() error {\n\tif err := s.l.Close(); err != nil {\n\t\treturn fmt.Errorf(\"close: %w\", err)\n\t}\n\treturn nil\n}"},
	{"python", "def area(r):\n    if r < 0:\n        raise ValueError(\"negative\")\n    return math.pi * r ** 2"},
	{"rust", "fn main() {\n    let mut v: Vec<u32> = Vec::new();\n    v.push(1);\n    println!(\"{:?}\", v);\n}"},
	{"java", "public class Main {\n    public static void main(String[] args) {\n        System.out.println(\"hi\");\n    }\n}"},
	{"sql", "SELECT u.name, count(*) FROM users u JOIN orders o ON o.user_id = u.id GROUP BY u.name;"},
	{"html", "<!DOCTYPE html>\n<html>\n<head><title>x</title></head>\n<body><p>hello</p></body>\n</html>"},
	{"json", "{\n  \"name\": \"x\",\n  \"list\": [1, 2, 3]\n}"},
	{"yaml", "version: \"3\"\nservices:\n  web:\n    image: nginx\n    ports:\n      - \"80:80\""},
	{"dockerfile", "FROM golang:1.22 AS build\nWORKDIR /src\nCOPY . .\nRUN go build -o /app"},
	{"diff", "--- a/x.go\n+++ b/x.go\n@@ -1,3 +1,3 @@\n-a\n+b"},
	{"haskell", "module Main where\n\nmain :: IO ()\nmain = mapM_ print $ filter even [1..10]"},
	{"cpp", "#include <iostream>\n\nint main() {\n  std::vector<int> v;\n  std::cout << v.size() << std::endl;\n}"},
	{"console", "$ git status\nOn branch main\nnothing to commit, working tree clean"},
	{"powershell", "Get-ChildItem -Path C:\\ | Where-Object { $_.Length -gt 1MB } | Select-Object Name"},
}

// neighbours are snippets that have something which no other language has.
var neighbours = []struct{ label, code string }{
	{"protobuf", "edition = \"2024\";\n\npackage shop.cart;"},
	{"d", "dropElem!Pair(list, item);\nauto keys = list.map!(p => p.key).array;"},
	{"batch", "echo Copied !count! files^^!"},
	{"cpp", "#include <iostream>"},
	{"cpp", "#include <vector>\n#include <string>"},
	{"fortran", "! Solves the system in place.\n! On return x holds the solution.\nreal :: x(n)"},
	{"c", "#define BUFFER_SIZE 4096\n#define MAX(a, b) ((a) > (b) ? (a) : (b))"},
	{"ruby", "class Cart\n  attr_reader :items\n\n  def add(item)\n    @items << item\n  end\nend"},
	{"css", ".menu a {\n  color: #336699;\n  padding: 0 4px;\n}"},
	{"typescript", "export function label(id: number, names: Map<number, string>): string {\n  return names.get(id) ?? 'none';\n}"},
}

func TestLanguagesAreToldApart(t *testing.T) {
	for i, c := range slices.Concat(plain, neighbours) {
		var s Scratch
		label, p := Default().Best(Default().Scores(&s, c.code, nil))
		require.Equal(t, c.label, Default().Labels()[label], "%s", c.code)
		require.True(t, p > 0.5 || i >= len(plain), "%s", c.code)
	}
}

func TestScoresAreLogarithmsOfProbabilities(t *testing.T) {
	var s Scratch
	for _, code := range awkward {
		sum := 0.0
		scores := Default().Scores(&s, code, nil)
		require.Len(t, scores, len(Default().Labels()))
		for _, v := range scores {
			require.LessOrEqual(t, v, float32(0))
			sum += math.Exp(float64(v))
		}
		require.InDelta(t, 1, sum, 1e-3)
	}
}

// Logits that are alike, which code that nobody read has, share an exponential.
func TestSoftmaxOfLogitsThatAreAlike(t *testing.T) {
	z := []float32{1, 1, 3, 3, 1, 2, 2, -5}
	want := make([]float64, len(z))
	var sum float64
	for i, v := range z {
		want[i] = math.Exp(float64(v))
		sum += want[i]
	}
	Softmax(z)
	for i, p := range z {
		require.InDelta(t, want[i]/sum, p, 1e-6)
	}
}

var awkward = []string{
	"", " ", "\n", "\n\n\n", "\x00", "\xff\xfe", "a", "0", "\u00e4\u00f6", "\t\tx\r\n\r\n", "\ufeff#!/bin/sh", "1.", "0x", "$ ",
	strings.Repeat("x", 100000), strings.Repeat("\n", 100000), strings.Repeat("if (a) { b(); }\n", 5000),
}

func TestNoLanguageIsNeverAGuess(t *testing.T) {
	m := &Model{header: Header{Labels: []string{"a", "b", Unknown}}}
	label, p := m.Best([]float32{-3, -2, -0.1})
	require.Equal(t, 1, label)
	require.InDelta(t, math.Exp(-2), p, 1e-6)
}

func TestLongInputIsSampledInBoundedWork(t *testing.T) {
	ex := Default().ex
	long := strings.Repeat("for (int i = 0; i < n; i++) { sum += a[i]; }\n", 100000)
	require.LessOrEqual(t, len(ex.Append(nil, long)), 32*maxExtent)
	for _, part := range sample(long) {
		require.True(t, strings.HasPrefix(part, "for ("))
	}
}

func TestScratchIsReusedWithoutTraceOrAllocation(t *testing.T) {
	var s Scratch
	m := Default()
	fresh := m.Scores(new(Scratch), "let x = 1;", nil)
	dst := m.Scores(&s, strings.Repeat("SELECT 1 FROM t;\n", 50), nil)
	require.Equal(t, fresh, m.Scores(&s, "let x = 1;", dst))
	require.Zero(t, testing.AllocsPerRun(20, func() { dst = m.Scores(&s, "let x = 1;", dst) }))
}

func FuzzScores(f *testing.F) {
	for _, s := range awkward {
		f.Add(s)
	}
	f.Add("SELECT a FROM t WHERE b = 'c' -- d")
	f.Fuzz(func(t *testing.T, code string) {
		var s Scratch
		sum := 0.0
		for _, v := range Default().Scores(&s, code, nil) {
			sum += math.Exp(float64(v))
		}
		if !(math.Abs(sum-1) < 1e-3) {
			t.Fatalf("probabilities add up to %v", sum)
		}
	})
}
