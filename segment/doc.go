// Package segment splits a message into text and code, and names the language of the code.
//
// Markup decides where there is any: fences, indented blocks and <pre> elements by the rules of CommonMark, and the code blocks
// of chats, trackers and forums. The other lines are labelled by a model trained on chat, mail, documentation, logs, patches and
// prose in many languages. A second model names the language of each piece of code; the tag of its fence and the other code of
// the message are its priors.
//
// The models are embedded in the program and decoded on first use of [Default]. A [Segmenter] is safe for concurrent use, takes
// time linear in the length of the input and accepts any bytes.
package segment
