// Package fail ends what the testbed tries by a panic where it could not be tried, as the
// methods of testing.T end a test: most of what it does has no other use for an error.
package fail

import "fmt"

// failure is what [Check] panics with.
type failure struct{ error }

// Check ends what is tried unless err is nil.
func Check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// Must is the value, unless there is an error.
func Must[T any](value T, err error) T {
	Check(err)
	return value
}

// Now ends what is tried with an error of [fmt.Errorf].
func Now(format string, arguments ...any) { Check(fmt.Errorf(format, arguments...)) }

// Catch is deferred by who reports the error.
func Catch(err *error) {
	switch p := recover().(type) {
	case nil:
	case failure:
		*err = p.error
	default:
		panic(p)
	}
}

// Try calls a function and returns the error that ended it.
func Try(f func()) (err error) {
	defer Catch(&err)
	f()
	return nil
}
