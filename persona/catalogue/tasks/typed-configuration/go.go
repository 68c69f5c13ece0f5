// snippet:check
//go:build ignore

package main

// snippet:end

// snippet:doc https://pkg.go.dev/os#LookupEnv os.LookupEnv
// snippet:prints {8080 250ms} <nil>
// snippet:prints PORT="http": want a value like 8080
// snippet:prints TIMEOUT="soon": want a value like 5s

// snippet:check
import "errors"
import "fmt"
import "os"
import "strconv"
import "time"

// snippet:end
type Config struct {
	Port    int
	Timeout time.Duration
}

// LoadConfig reads the environment and reports every bad setting at once.
func LoadConfig() (Config, error) {
	var errs []error
	cfg := Config{
		Port:    setting(&errs, "PORT", 8080, strconv.Atoi),
		Timeout: setting(&errs, "TIMEOUT", 5*time.Second, time.ParseDuration),
	}
	return cfg, errors.Join(errs...)
}

func setting[T any](errs *[]error, key string, fallback T, parse func(string) (T, error)) T {
	text, ok := os.LookupEnv(key)
	if !ok {
		return fallback
	}
	value, err := parse(text)
	if err != nil {
		*errs = append(*errs, fmt.Errorf("%s=%q: want a value like %v", key, text, fallback))
	}
	return value
}

// snippet:check
func main() {
	os.Setenv("TIMEOUT", "250ms")
	fmt.Println(LoadConfig())
	os.Setenv("PORT", "http")
	os.Setenv("TIMEOUT", "soon")
	_, err := LoadConfig()
	fmt.Println(err)
}
