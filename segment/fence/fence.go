// Package fence writes fenced code blocks (CommonMark 0.31, section 4.5).
package fence

import "strings"

// Append appends code to dst as a fenced code block with the given info string. The fence is longer than any run of backticks in
// the code, so that no line of the code can close it.
func Append(dst []byte, code, info string) []byte {
	fence := strings.Repeat("`", max(3, longestRun(code)+1))
	dst = append(dst, fence...)
	dst = append(dst, info...)
	dst = append(dst, '\n')
	dst = append(dst, code...)
	if code != "" && !strings.HasSuffix(code, "\n") {
		dst = append(dst, '\n')
	}
	dst = append(dst, fence...)
	return append(dst, '\n')
}

// longestRun returns the length of the longest run of backticks in s.
func longestRun(s string) (longest int) {
	run := 0
	for i := range len(s) {
		if s[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
