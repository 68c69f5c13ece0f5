// Package segment splits a message into text and code, and names the language of the code.
//
// Markup decides where there is any: fences, indented blocks and <pre> elements by the rules of CommonMark, and the code blocks of
// chats, trackers and forums. The other lines are labelled by a model trained on chat, mail, documentation, logs, patches and prose in
// many languages. A second model names the language of each piece of code; the tag of its fence and the other code of the message are
// its priors.
//
// The models are embedded in the program and decoded on first use of [Default]. A [Segmenter] is safe for concurrent use, takes time
// linear in the length of the input and accepts any bytes.
//
// # Files
//
//	segmenter.go: the models, and a message from beginning to end
//	builder.go: which lines the line model sees, and what it makes of them
//	join.go: lines and marked blocks as segments
//	segment.go: a segment's content and place
//	classify.go: the languages of the code of a message
//	priors.go: how much a tag says
//	language.go: the languages, and the tags that name them
//	render.go: segments as Markdown
//	label_fences.go: tags for fences that have none
//	models.go: the versions of the models
package segment
