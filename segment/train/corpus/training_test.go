package corpus

import (
	"crypto/sha256"
	"encoding/hex"
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
	hashes := map[string]bool{}
	for _, test := range []struct {
		name                string
		without             []string // files that the corpus does not have
		messages            bool
		documents, snippets []string
	}{
		{"all", nil, true, []string{"first", "second", "third", "sent", "asked", "said", "run"}, []string{"a()", "b()", "c()", "d()", "e: f", "cat <<E"}},
		{"no messages wanted", nil, false, []string{"first", "second", "third"}, []string{"a()", "b()", "c()", "d()", "e: f", "cat <<E"}},
		{"no fourth part", []string{"snippets.train4", "outputs.train", "heredocs.train", "commands.train"}, false, []string{"first", "second", "third"}, []string{"a()", "b()", "c()"}},
		{"no third part", []string{"documents.train3", "snippets.train3"}, false, []string{"first", "second"}, []string{"a()", "b()"}},
		{"no second part", []string{"documents.train2", "snippets.train2"}, true, []string{"first", "sent", "asked", "said"}, []string{"a()"}},
		{"no messages either", []string{"messages.train", "assistant.train", "chat.train"}, true, []string{"first"}, []string{"a()"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, name := range test.without {
				require.NoError(t, os.Remove(filepath.Join(dir, name+".jsonl.gz")))
			}
			training := Training{c, test.messages}
			var texts, code []string
			documents, err := training.Documents()
			require.NoError(t, err)
			for _, d := range documents {
				texts = append(texts, d.Text)
			}
			snippets, err := training.Snippets()
			require.NoError(t, err)
			for _, s := range snippets {
				code = append(code, s.Text)
			}
			hash, licenses, err := training.Origin("documents.train", "snippets.train")
			require.NoError(t, err)
			require.Equal(t, test.documents, texts)
			require.Equal(t, test.snippets, code)
			require.Equal(t, []string{"0BSD", "ISC", "MIT"}, licenses)
			require.False(t, hashes[hash], "a model's header tells what it was trained on")
			hashes[hash] = true
		})
	}
	alone := sha256.New()
	for _, name := range []string{"documents.train.jsonl.gz", "snippets.train.jsonl.gz"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		alone.Write(text)
	}
	require.True(t, hashes[hex.EncodeToString(alone.Sum(nil))], "without more the hash is that of the files alone")
	messages, err := c.Documents("messages.dev")
	require.NoError(t, err)
	require.Equal(t, []Document{{Text: "read", Labels: []string{Text}, Kind: "message-chat", Source: "o/talk", Checked: true}}, messages)
}
