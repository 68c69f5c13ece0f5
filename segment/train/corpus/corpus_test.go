package corpus

import (
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func write(t *testing.T, path, text string) {
	f, err := os.Create(path)
	require.NoError(t, err)
	z := gzip.NewWriter(f)
	_, err = z.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	require.NoError(t, f.Close())
}

func TestDocuments(t *testing.T) {
	const good = `{"text":"a\n\nb();","labels":["T","-","C"],"langs":["","","c"],"kind":"readme","source":"o/r"}` + "\n"
	for _, c := range []struct{ name, file, err string }{
		{"good", good, ""},
		{"a label too few", `{"text":"a\nb","labels":["T"],"source":"o/r"}`, "document 0 of [documents.dev] (o/r) has 2 lines and 1 labels"},
		{"broken JSON", good + `{"text":`, "record 2"},
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "documents.dev.jsonl.gz"), c.file)
		docs, err := (&Corpus{dir}).Documents("documents.dev")
		if c.err != "" {
			require.ErrorContains(t, err, c.err, c.name)
			continue
		}
		require.NoError(t, err, c.name)
		require.Equal(t, []Document{{Text: "a\n\nb();", Labels: []string{Text, Blank, Code}, Langs: []string{"", "", "c"}, Kind: "readme", Source: "o/r"}}, docs, c.name)
	}
	_, err := (&Corpus{t.TempDir()}).Documents("documents.dev")
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestOlderSnippetsGetNewerLabels(t *testing.T) {
	const snippets = `{"text":"a = 1","lang":"ini","source":"o/r"}` + "\n" + `{"text":"B=2","lang":"ini","source":"o/r"}` + "\n"
	for _, c := range []struct{ name, changes, err string }{
		{"none", "", ""},
		{"one", `{"file":"snippets.train","line":2,"from":"ini","to":"dotenv"}`, ""},
		{"of another file", `{"file":"snippets.dev","line":2,"from":"ini","to":"dotenv"}`, ""},
		{"another label", `{"file":"snippets.train","line":2,"from":"shell","to":"fish"}`, "line 2 of snippets.train is no snippet of shell"},
		{"no such line", `{"file":"snippets.train","line":3,"from":"ini","to":"dotenv"}`, "line 3 of snippets.train is no snippet of ini"},
		{"broken", `{"file":`, "relabel4.jsonl"},
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "snippets.train.jsonl.gz"), snippets)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "relabel4.jsonl"), []byte(c.changes), 0o600), c.name)
		all, err := (&Corpus{dir}).Snippets("snippets.train")
		if c.err != "" {
			require.ErrorContains(t, err, c.err, c.name)
			continue
		}
		require.NoError(t, err, c.name)
		want := map[bool]string{true: "dotenv", false: "ini"}[c.name == "one"]
		require.Equal(t, []string{"ini", want}, []string{all[0].Lang, all[1].Lang}, c.name)
	}
}

func TestMessagesOfCommandsHaveKindsOfTheirOwn(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "commands.dev.jsonl.gz"), `{"text":"a","labels":["T"],"kind":"prose+output","source":"o/r"}`)
	all, err := (&Corpus{dir}).Documents("commands.dev")
	require.NoError(t, err)
	require.Equal(t, CommandKinds+"prose+output", all[0].Kind)
}

func TestHashDependsOnTheFiles(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.jsonl.gz"), "one")
	write(t, filepath.Join(dir, "b.jsonl.gz"), "two")
	training := Training{Corpus: &Corpus{dir}}
	for _, name := range append(training.furtherDocuments(), furtherSnippets...) {
		write(t, training.path(name), "")
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "README.md"), []byte("| o/r | 01 | LICENSE: MIT | train | 1 | 1 |\n"), 0o600))
	a, _, err := training.Origin("a", "b")
	require.NoError(t, err)
	b, _, err := training.Origin("b", "a")
	require.NoError(t, err)
	require.Len(t, a, 64)
	require.NotEqual(t, a, b)
	_, _, err = training.Origin("c")
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestAMissingCorpusIsNamed(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("CORPUS", filepath.Join(dir, "none"))
	_, err := Open()
	require.ErrorIs(t, err, ErrMissing)
	require.ErrorContains(t, err, filepath.Join(dir, "none"))
	require.ErrorContains(t, err, "CORPUS")
	require.ErrorContains(t, err, "manifest.tsv")
	shared, work := filepath.Join(dir, "shared", "corpus"), filepath.Join(dir, "checkout", "segment", "train")
	require.NoError(t, os.MkdirAll(shared, 0o700))
	require.NoError(t, os.MkdirAll(work, 0o700))
	t.Setenv("CORPUS", shared)
	_, err = Open()
	require.NoError(t, err)
	t.Setenv("CORPUS", "")
	t.Chdir(work)
	found, err := Open()
	require.NoError(t, err, "beside the checkout")
	there, err := filepath.EvalSymlinks(shared)
	require.NoError(t, err)
	require.Equal(t, there, found.dir)
}

func TestAFoldIsASource(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b Document
		same bool
	}{
		{"of one repository", Document{Source: "o/a", Text: "one"}, Document{Source: "o/a", Text: "another"}, true},
		{"of two", Document{Source: "o/a"}, Document{Source: "o/b"}, false},
		{"lines of a chat", Document{Kind: ChatLine, Source: "o/a", Text: "thanks"}, Document{Kind: ChatLine, Source: "o/a", Text: "no idea"}, false},
	} {
		require.Equal(t, c.same, c.a.Fold() == c.b.Fold(), c.name)
	}
}

func TestWhatPeopleSentIsToldFromWhatWasComposed(t *testing.T) {
	for kind, sent := range map[string]bool{"message-chat": true, ChatLine: true, "assistant": true, "assistant-answer": true, ComposedRequest: false, "readme": false} {
		require.Equal(t, sent, (&Document{Kind: kind}).WasSent(), kind)
	}
}
