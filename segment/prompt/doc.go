// Package prompt says what a request to a language model holds: it finds the messages in the JSON of the request, and counts
// their lines of code and text. It is for honest clients: who wants to hide code can encode it. What it can't read, or does not
// know, it reports as unread.
//
//	content, err := prompt.Read(ctx, body, prompt.Fields{})
//	if err == nil && content.CodeLines > 0 {
//		fmt.Println(content.Languages)
//	}
package prompt
