// snippet:check
//go:build ignore

// snippet:usage
package main

// snippet:end
// snippet:doc https://pkg.go.dev/os#Getenv os.Getenv
// snippet:needs Go 1.22
import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"
)

type Config struct {
	Port    int
	Timeout time.Duration
}

// LoadConfig reports all settings that do not convert at once; an empty one counts as not set.
func LoadConfig() (Config, error) {
	var errs []error
	port := setting(&errs, "PORT", 8080, strconv.Atoi)
	timeout := setting(&errs, "TIMEOUT", 5*time.Second, time.ParseDuration)
	return Config{port, timeout}, errors.Join(errs...)
}

func setting[T any](errs *[]error, key string, fallback T, parse func(string) (T, error)) T {
	text := cmp.Or(os.Getenv(key), fmt.Sprint(fallback))
	value, err := parse(text)
	if err != nil {
		*errs = append(*errs, fmt.Errorf("%s=%q: want a value like %v", key, text, fallback))
	}
	return value
}

// snippet:usage
// snippet:prints {8080 250ms} <nil>
// snippet:prints PORT="http": want a value like 8080
// snippet:prints TIMEOUT="soon": want a value like 5s
func main() {
	os.Setenv("TIMEOUT", "250ms")
	fmt.Println(LoadConfig())
	os.Setenv("PORT", "http")
	os.Setenv("TIMEOUT", "soon")
	_, err := LoadConfig()
	fmt.Println(err)
}
