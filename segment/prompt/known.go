package prompt

import (
	"slices"
	"strings"
	"unicode"
)

// This is what is known of the requests that people and agents send: OpenAI chat completions, responses, completions and
// embeddings, Anthropic messages, Ollama, Gemini, calls of tools in the Model Context Protocol (MCP), and segmentation. All
// roles count: what is sent is what leaves. It is from the types of the packages openai, @anthropic-ai/sdk, ollama and
// @google/genai. What is not listed here is unread, rather than no message.
var known = slices.Concat(
	// Messages, at any depth: their parts, the calls of tools in them, what those have found, and what a model has thought.
	appendCursors(nil, mustParse(
		"$.messages", "$.system", // also Anthropic and Ollama
		"$.prediction", "$.instructions", "$.input", "$.prompt", "$.suffix",
		"$.contents", "$.systemInstruction", "$.system_instruction", // Gemini
		"$.params.arguments", "$.params.argument", "$.result", "$.error", // MCP: requests, and answers to requests of the server
		"$[*].params.arguments", "$[*].params.argument", "$[*].result", "$[*].error",
		"$.value", // segmentation
	), messages),
	// Definitions of tools, and of the form of the answer. Nearly every agent sends some, with examples in code.
	appendCursors(nil, mustParse(
		"$.tools", "$.input[*].tools", "$.functions",
		"$.response_format", "$.text.format", "$.format", "$.output_config", "$.output_format", "$.generationConfig", "$.generation_config",
	), skipped),
	// What says of a document that it is known, whether or not it has a message: JSON-RPC has many methods.
	appendCursors(nil, mustParse("$.jsonrpc", "$[*].jsonrpc"), unlisted),
)

// labels are names of members among messages that are no messages if they are tokens, as are those that end with id.
var labels = []string{
	"type", "role", "name", "object", "status", "phase", "model", "language", "outcome", "effort", "detail", "display", "format", "ttl",
	"filename", "media_type", "mime_type", "mimeType", "tool_name", "toolset_name", "server_label", "server_name", "namespace",
	"signature", "thoughtSignature", "thought_signature", "encrypted_content", "encrypted_index", "encrypted_stdout",
}

// phrases are names of members besides the messages that hold a few words: maxPhrases bytes in all.
var phrases = []string{
	"stop", "stop_sequences", "stopSequences", "metadata", "labels", "user", "user_location", "clientInfo", "reason", "uri",
}

const maxPhrases = 512

// media are names of members with what is not text, or says where it is. If it has white space, it is text all the same.
var media = []string{"image_url", "file_url", "fileUri", "file_uri", "images"}

const (
	maxToken = 256 // bytes, from which on it holds data
	maxName  = 128 // bytes of the name of a member
)

func isLabel(name string) bool {
	return strings.HasSuffix(strings.ToLower(name), "id") || slices.Contains(labels, name)
}

// isToken reports whether text is an identifier, a number, a plain address, or in base64.
func isToken(text string) bool {
	return !strings.ContainsFunc(strings.TrimRight(text, "="), func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.:/+@", r)
	})
}

// isBlob reports whether text is data in base64.
func isBlob(text string) bool {
	return strings.HasPrefix(text, "data:") && strings.Contains(text[:min(len(text), maxToken)], ";base64,") || len(text) > maxToken && isToken(text)
}
