package corpus

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTraining(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"documents.train":  `{"text":"first","labels":["T"],"kind":"pure-text","source":"o/first"}`,
		"documents.train2": `{"text":"second","labels":["T"],"kind":"pure-text","source":"o/second"}`,
		"documents.train3": `{"text":"third","labels":["T"],"kind":"pure-text","source":"o/third"}`,
		"assistant.train":  `{"text":"asked","labels":["T"],"kind":"assistant","source":"o/history"}`,
		"chat.train":       `{"text":"said","labels":["T"],"kind":"chat-line","source":"o/talk"}`,
		"snippets.train3":  `{"text":"c()","lang":"c","source":"o/third"}`,
		"snippets.train4":  `{"text":"d()","lang":"c","source":"o/fourth"}`,
		"outputs.train":    `{"text":"e: f","lang":"output","source":"o/fourth"}`,
		"heredocs.train":   `{"text":"cat <<E","lang":"shell","source":"o/fourth"}`,
		"commands.train":   `{"text":"run","labels":["T"],"kind":"steps","source":"o/fourth"}`,
		"messages.train":   `{"text":"sent","labels":["T"],"kind":"message-chat","source":"o/chat:team"}`,
		"messages.dev":     `{"text":"read","labels":["T"],"kind":"message-chat","source":"o/talk","checked":true}`,
		"snippets.train":   `{"text":"a()","lang":"c","source":"o/first"}`,
		"snippets.train2":  `{"text":"b()","lang":"c","source":"o/second"}`,
	} {
		write(t, filepath.Join(dir, name+".jsonl.gz"), text)
	}
	readme := "## Provenance\n\n| o/first | 01 | LICENSE: MIT | train | 1 | 1 | 0 |\n| o/d | 01 | LICENSE: Zlib | dev | 1 | 1 | 0 |\n" +
		"## Second extension: messages\n\n| o/chat | 02 | LICENSE: GPL | 1 / 0 | 0 / 0 | team |\n" +
		"## Second extension: documents and snippets\n\n| o/second | 03 | COPYING: ISC | train | 1 | 1 |\n" +
		"## Third extension: messages to coding assistants\n\n| o/history | 04 | LICENSE: GPL | 1 | 0 |\n" +
		"## Third extension: sources\n\n| o/third | 05 | LICENSE: 0BSD | train | 1 | 1 |\n## Chat lines\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "README.md"), []byte(readme), 0o600))
	c := &Corpus{dir}
	code := []string{"a()", "b()", "c()", "d()", "e: f", "cat <<E"}
	var hashes []string
	for _, test := range []struct {
		messages  bool
		documents []string
	}{
		{true, []string{"first", "second", "third", "sent", "asked", "said", "run"}},
		{false, []string{"first", "second", "third"}},
	} {
		training := Training{c, test.messages}
		documents, err := training.Documents()
		require.NoError(t, err)
		for i, d := range documents {
			require.Equal(t, test.documents[i], d.Text)
		}
		snippets, err := training.Snippets()
		require.NoError(t, err)
		for i, s := range snippets {
			require.Equal(t, code[i], s.Text)
		}
		require.Len(t, documents, len(test.documents))
		require.Len(t, snippets, len(code))
		hash, licenses, err := training.Origin("documents.train", "snippets.train")
		require.NoError(t, err)
		require.Equal(t, []string{"0BSD", "ISC", "MIT"}, licenses)
		hashes = append(hashes, hash)
	}
	require.NotEqual(t, hashes[0], hashes[1], "a model's header tells what it was trained on")
	messages, err := c.Documents("messages.dev")
	require.NoError(t, err)
	require.Equal(t, []Document{{Text: "read", Labels: []string{Text}, Kind: "message-chat", Source: "o/talk", Checked: true}}, messages)
	require.NoError(t, os.Remove(filepath.Join(dir, "chat.train.jsonl.gz")))
	_, err = Training{c, true}.Documents()
	require.ErrorContains(t, err, "chat.train", "of half a corpus no model is trained")
}
