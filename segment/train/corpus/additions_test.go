package corpus

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAdditions(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"documents.train":  `{"text":"first","labels":["T"],"kind":"pure-text","source":"o/first"}`,
		"documents.train2": `{"text":"second","labels":["T"],"kind":"pure-text","source":"o/second"}`,
		"messages.train":   `{"text":"sent","labels":["T"],"kind":"message-chat","source":"o/chat:team"}`,
		"messages.dev":     `{"text":"read","labels":["T"],"kind":"message-chat","source":"o/talk","checked":true}`,
		"snippets.train":   `{"text":"a()","lang":"c","source":"o/first"}`,
		"snippets.train2":  `{"text":"b()","lang":"c","source":"o/second"}`,
	} {
		write(t, filepath.Join(dir, name+".jsonl.gz"), text)
	}
	readme := "## Provenance\n\n| o/first | 01 | LICENSE: MIT | train | 1 | 1 | 0 |\n| o/d | 01 | LICENSE: Zlib | dev | 1 | 1 | 0 |\n" +
		"## Second extension: messages\n\n| o/chat | 02 | LICENSE: GPL | 1 / 0 | 0 / 0 | team |\n" +
		"## Second extension: documents and snippets\n\n| o/second | 03 | COPYING: ISC | train | 1 | 1 |\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "README.md"), []byte(readme), 0o600))
	c := &Corpus{dir}
	hashes := map[string]bool{}
	for _, test := range []struct {
		name                          string
		additions                     Additions
		documents, snippets, licenses []string
	}{
		{"none", Additions{}, []string{"first"}, []string{"a()"}, []string{"MIT"}},
		{"repositories", Additions{Repositories: true}, []string{"first", "second"}, []string{"a()", "b()"}, []string{"ISC", "MIT"}},
		{"messages", Additions{Messages: true}, []string{"first", "sent"}, []string{"a()"}, []string{"MIT"}},
		{"both", Additions{true, true}, []string{"first", "second", "sent"}, []string{"a()", "b()"}, []string{"ISC", "MIT"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var texts, code []string
			documents, err := test.additions.Documents(c)
			require.NoError(t, err)
			for _, d := range documents {
				texts = append(texts, d.Text)
			}
			snippets, err := test.additions.Snippets(c)
			require.NoError(t, err)
			for _, s := range snippets {
				code = append(code, s.Text)
			}
			licenses, err := test.additions.Licenses(c)
			require.NoError(t, err)
			hash, err := test.additions.Hash(c, "documents.train.jsonl.gz", "snippets.train.jsonl.gz")
			require.NoError(t, err)
			require.Equal(t, test.documents, texts)
			require.Equal(t, test.snippets, code)
			require.Equal(t, test.licenses, licenses)
			require.False(t, hashes[hash], "a model's header tells what it was trained on")
			hashes[hash] = true
		})
	}
	plain, err := c.Hash("documents.train.jsonl.gz", "snippets.train.jsonl.gz")
	require.NoError(t, err)
	require.True(t, hashes[plain], "without additions the hash is that of the files alone")
	messages, err := c.Messages(Dev)
	require.NoError(t, err)
	require.Equal(t, []Document{{Text: "read", Labels: []string{Text}, Kind: "message-chat", Source: "o/talk", Checked: true}}, messages)
}

func TestMessagesAreHeldOutBySource(t *testing.T) {
	const source = "nlbse2024/issue-report-classification:tensorflow/tensorflow"
	for _, c := range []struct {
		name             string
		document         Document
		held, validation bool
	}{
		{"a held source", Document{Kind: "message-issue", Source: source}, true, true},
		{"its pieces", Document{Kind: "message-line", Source: source}, true, true},
		{"another project of the same repository", Document{Kind: "message-issue", Source: "nlbse2024/issue-report-classification:facebook/react"}, false, false},
		{"a document of a repository of that name", Document{Kind: "readme", Source: source}, HeldOutOfLines(source), HeldOutOfLines(source)},
		{"a document with prose that is held", Document{Kind: "prose+code", Source: free(t, false), Prose: free(t, true)}, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.held, c.document.HeldOutOfLines())
			require.Equal(t, c.validation, c.document.InValidation())
		})
	}
}

// free returns the name of a repository that is held out, or is not.
func free(t *testing.T, held bool) string {
	for _, name := range []string{"o/a", "o/b", "o/c", "o/d", "o/e", "o/f", "o/g", "o/h", "o/i", "o/j", "o/k", "o/l", "o/m", "o/n", "o/o", "o/p", "o/q", "o/r", "o/s", "o/t", "o/u", "o/v", "o/w", "o/x", "o/y", "o/z"} {
		if HeldOutOfLines(name) == held {
			return name
		}
	}
	t.Fatal("no name of that kind")
	return ""
}

// Every kind of message that several sources have is on both sides.
func TestKindsOfMessagesAreOnBothSides(t *testing.T) {
	c, err := Open("")
	if err != nil {
		t.Skip(err)
	}
	messages, err := c.Messages(Train)
	require.NoError(t, err)
	held, rest := map[string]bool{}, map[string]bool{}
	for _, d := range messages {
		if d.HeldOutOfLines() {
			held[d.Kind] = true
		} else {
			rest[d.Kind] = true
		}
	}
	for _, kind := range []string{"message-issue", "message-forum", "message-chat", "message-mail", "message-line"} {
		require.True(t, held[kind] && rest[kind], kind)
	}
}

func TestACorpusWithoutMessagesSaysWhatToDo(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "documents.train.jsonl.gz"), "")
	_, err := Additions{Messages: true}.Documents(&Corpus{dir})
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, err, "-messages=false")
}
