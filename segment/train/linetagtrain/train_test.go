package linetagtrain

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/linetag"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

func write[T any](t *testing.T, dir, name string, records []T) {
	f, err := os.Create(filepath.Join(dir, name))
	require.NoError(t, err)
	defer f.Close()
	z := gzip.NewWriter(f)
	e := json.NewEncoder(z)
	for _, r := range records {
		require.NoError(t, e.Encode(r))
	}
	require.NoError(t, z.Close())
}

// smallCorpus writes a corpus of a few sentences and statements in turn.
func smallCorpus(t *testing.T) *corpus.Corpus {
	dir := t.TempDir()
	var documents []corpus.Document
	var snippets []corpus.Snippet
	for i := range 60 {
		code := fmt.Sprintf("int total_%d = count(%d);", i, i*i)
		documents = append(documents, corpus.Document{
			Text:   fmt.Sprintf("There are %d of them, and this is how to count them:\n\n%s\nreturn total_%d;\n\nThat is all there is to say.", i, code, i),
			Labels: []string{corpus.Text, corpus.Blank, corpus.Code, corpus.Code, corpus.Blank, corpus.Text},
			Langs:  []string{"", "", "c", "c", "", ""},
			Kind:   "prose+code", Source: fmt.Sprint("owner/repository", i%7),
		}, corpus.Document{
			Text:   fmt.Sprintf("Nothing but words here, number %d.\nAnd then some more of them.", i),
			Labels: []string{corpus.Text, corpus.Text},
			Kind:   "pure-text", Source: fmt.Sprint("owner/repository", i%7),
		})
		snippets = append(snippets, corpus.Snippet{Text: code, Lang: "c", Source: "owner/repository1", Origin: "file"})
	}
	readme := "| owner/repository1  | 0123456789ab | LICENSE: MIT | train | 1 | 1 | 0 |\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "README.md"), []byte(readme), 0o600))
	write(t, dir, "documents.train.jsonl.gz", documents)
	write(t, dir, "snippets.train.jsonl.gz", snippets)
	var messages []corpus.Document
	for i := range 20 {
		messages = append(messages, corpus.Document{
			Text: fmt.Sprintf("hi, this is all I get:\ncount(%d);", i), Labels: []string{corpus.Text, corpus.Code}, Langs: []string{"", "unknown"},
			Kind: "message-chat", Source: fmt.Sprint("owner/chat:team", i),
		})
	}
	write(t, dir, "messages.train.jsonl.gz", messages)
	for _, name := range []string{"documents.train2", "documents.train3", "assistant.train", "chat.train", "commands.train"} {
		write(t, dir, name+".jsonl.gz", []corpus.Document{})
	}
	for _, name := range []string{"snippets.train2", "snippets.train3", "snippets.train4", "outputs.train", "heredocs.train"} {
		write(t, dir, name+".jsonl.gz", []corpus.Snippet{})
	}
	t.Setenv("CORPUS", dir)
	data, err := corpus.Open()
	require.NoError(t, err)
	return data
}

// small are the default options, but with the small corpus alone.
func small(t *testing.T) Options {
	o := Defaults()
	o.Synthetic, o.Corpus, o.Log = 0, smallCorpus(t), log.New(io.Discard, "", 0)
	return o
}

func TestTrainIsDeterministic(t *testing.T) {
	o := small(t)
	train := func(seed uint64) []byte {
		o.Seed, o.Epochs = seed, 2
		m, err := Train(o)
		require.NoError(t, err)
		file, err := m.Encode()
		require.NoError(t, err)
		return file
	}
	first := train(1)
	require.Equal(t, first, train(1), "the same corpus and seed give the same bytes")
	require.NotEqual(t, first, train(2), "another seed gives another model")
}

func TestTrainLearns(t *testing.T) {
	o := small(t)
	o.Epochs = 8
	m, err := Train(o)
	require.NoError(t, err)
	documents, err := o.Corpus.Documents("documents.train")
	require.NoError(t, err)
	exact := 0
	for _, d := range documents {
		var s linetag.Scratch
		var asked structure
		asked.parse(d.Text, nil, true)
		right := true
		for i, code := range m.Label(&s, d.Text, asked.lines, asked.hints, nil) {
			label := d.Labels[asked.number[i]]
			right = right && (label == corpus.Blank || code == (label == corpus.Code))
		}
		if right {
			exact++
		}
	}
	require.Greater(t, exact, len(documents)*95/100)
}

// Whatever augmentation does, there is a label for each line, blank lines and only they are labelled so, and there is
// something to learn from.
func TestAugmentationKeepsTheTruth(t *testing.T) {
	o := small(t)
	documents, err := o.Corpus.Documents("documents.train")
	require.NoError(t, err)
	snippets, err := o.Corpus.Snippets("snippets.train")
	require.NoError(t, err)
	p := newPool(documents, snippets)
	for i := range 4000 {
		r := rand.New(rand.NewPCG(uint64(i), 7))
		d := &documents[i%len(documents)]
		m := newMessage(d.Text, d.Labels)
		p.augment(&m, r)
		switch i % 16 {
		case 0:
			m = p.links(r)
		case 1:
			m = p.output(r)
		case 2:
			m = p.written(r)
		case 3:
			m = p.commented(r)
		case 4:
			m = p.brief(r)
		case 5:
			m = p.report(r)
		case 6:
			m = p.terse(r)
		case 7:
			m = p.piece(r)
		case 8:
			digress(p, &m, r)
			m.fenced = nil
		case 9:
			hurried(p, &m, r)
		case 10:
			glue(p, &m, r)
			m.fenced = nil
		case 12:
			space(p, &m, r)
			m.fenced = nil
		case 11:
			m.chat(r.IntN(3) > 0)
			m.fenced = nil
		}
		require.Len(t, m.labels, len(m.lines))
		require.True(t, m.content())
		for _, f := range m.fenced {
			require.Equal(t, corpus.Code, m.labels[f[0]])
			require.Equal(t, corpus.Code, m.labels[f[1]])
			require.NotContains(t, m.labels[f[0]:f[1]+1], corpus.Text)
		}
		for k, l := range m.lines {
			require.NotContains(t, l, "\n")
			blank := strings.Trim(l, " \t>") == ""
			require.Equal(t, blank, m.labels[k] == corpus.Blank, "document %d: %q is labelled %s", i, l, m.labels[k])
			if strings.Contains(l, "total_") && !strings.Contains(l, "//") {
				require.Equal(t, corpus.Code, m.labels[k], "document %d: %q", i, l)
			}
		}
	}
}

func TestAsChat(t *testing.T) {
	text, labels, ok := AsChat("Hello.\n\nI get this:\n\nError: No\n\n  at X\n> Why?\n\nThanks.", strings.Split("T-T-C-CT-T", ""))
	require.True(t, ok)
	require.Equal(t, "Hello.\n\ni get this\nError: No\n\n  at X\n> why\n\nThanks.", text)
	require.Equal(t, "T-TC-CT-T", strings.Join(labels, ""))
	_, _, ok = AsChat("Hello.", []string{corpus.Text})
	require.False(t, ok, "nothing but text")
	for line, want := range map[string]string{"It is Go:": "it is Go", "...": "...", "> ?": "> ?", "Ärger": "ärger"} {
		require.Equal(t, want, unmarked(line, false))
		require.Equal(t, strings.ToLower(want), unmarked(line, true))
	}
}

func TestDoubt(t *testing.T) {
	note := "This is a note that somebody has put into a fence, as some people do.\nIt goes on for a while and then it ends."
	for _, c := range []struct {
		name, lang, text string
		want             int
	}{
		{"prose without a tag", "unknown", note, 2},
		{"prose with a tag", "python", note, 0},
		{"code without a tag", "unknown", "x = read(3)\nfor y in x: print(y)", 0},
	} {
		d := corpus.Document{Text: c.text, Labels: []string{corpus.Code, corpus.Code}, Langs: []string{c.lang, c.lang}}
		doubt(&d)
		require.Equal(t, c.want, strings.Count(strings.Join(d.Labels, ""), doubtful), c.name)
	}
}

func TestThinKeepsLayout(t *testing.T) {
	text := "One line of text.\nint x = 3;"
	var f linetag.Features
	extract(&f, text)
	before := f.End[1] - f.Hashed[1]
	thin(&f, rand.New(rand.NewPCG(1, 1)), 1, 0)
	require.Zero(t, f.Hashed[0], "all content is gone")
	require.Equal(t, before, f.End[1]-f.Hashed[1], "layout stays")
}
