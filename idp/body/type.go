package body

import (
	"mime"
	"strings"
)

// IsTypeInUTF8 reports whether a Content-Type is the wanted media type in UTF-8.
func IsTypeInUTF8(contentType, want string) bool {
	if contentType == want {
		return true
	}
	mediaType, attributes, err := mime.ParseMediaType(contentType)
	charset := attributes["charset"]
	return err == nil && mediaType == want && (charset == "" || strings.EqualFold(charset, "utf-8"))
}
