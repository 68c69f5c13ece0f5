package main

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
)

// errMissing says that the machine does not have a server.
var errMissing = errors.New("missing")

// kind is a kind of server.
type kind struct {
	name  string
	start func(folder string) (*server, error)
}

// server is one that runs. site has the gateway hand requests to it.
type server struct {
	site string
	stop func()
}

// The servers that are programs of their own.
//
//go:embed testdata/express.cjs testdata/Servlet.java testdata/nginx.conf testdata/httpd.conf
var programs embed.FS

func kinds() []kind {
	return []kind{
		{"Go, `http.ServeMux`", func(string) (*server, error) {
			mux := http.NewServeMux()
			mux.HandleFunc("/admin/secret", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, privatePage) })
			mux.HandleFunc("/public/hello.txt", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, publicPage) })
			return inProcess(mux), nil
		}},
		{"Go, `http.FileServer`", func(folder string) (*server, error) {
			root, err := files(folder)
			return inProcess(http.FileServer(http.Dir(root))), err
		}},
		{"Caddy, `file_server`", func(folder string) (*server, error) {
			root, err := files(folder)
			return &server{"root * " + root + "\nfile_server", func() {}}, err
		}},
		{"PHP, `php -S`", func(folder string) (*server, error) {
			root, err := files(folder)
			if err != nil {
				return nil, err
			}
			return program("php", func(address string) []string { return []string{"-S", address, "-t", root} })
		}},
		{"Node, Express 5", func(folder string) (*server, error) {
			if _, err := fetched(folder, "npm", "install", "--no-audit", "--no-fund", "--silent", "--prefix", folder, "express@5"); err != nil {
				return nil, err
			}
			script, err := unpack(folder, "express.cjs")
			if err != nil {
				return nil, err
			}
			return program("node", func(address string) []string { return []string{script, address} })
		}},
		{"Tomcat 11", func(folder string) (*server, error) {
			for _, artifact := range []string{"tomcat-embed-core:11.0.27", "tomcat-annotations-api:11.0.27"} {
				group := "org.apache.tomcat.embed:"
				if strings.HasPrefix(artifact, "tomcat-annotations") {
					group = "org.apache.tomcat:"
				}
				if _, err := fetched(folder, "mvn", "-q", "-B", "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy", "-Dartifact="+group+artifact, "-DoutputDirectory="+folder); err != nil {
					return nil, err
				}
			}
			source, err := unpack(folder, "Servlet.java")
			if err != nil {
				return nil, err
			}
			return program("java", func(address string) []string {
				return []string{"-cp", filepath.Join(folder, "*"), source, address, folder}
			})
		}},
		{"nginx", func(folder string) (*server, error) { return configured(folder, "nginx", "nginx.conf", "-c") }},
		{"Apache httpd", func(folder string) (*server, error) { return configured(folder, "apache2", "httpd.conf", "-X", "-f") }},
	}
}

// files makes the folder of a file server.
func files(folder string) (string, error) {
	root := filepath.Join(folder, "root")
	for name, page := range map[string]string{"admin/secret": privatePage, "public/hello.txt": publicPage} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
			return "", err
		}
	}
	return root, os.Chmod(folder, 0o755) // also for a server that runs as somebody else
}

func proxied(address string) string { return "reverse_proxy " + address }

func inProcess(h http.Handler) *server {
	running := httptest.NewServer(h)
	return &server{proxied(running.Listener.Addr().String()), running.Close}
}

// fetched runs a package manager.
func fetched(folder, name string, arguments ...string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("%w: %s", errMissing, name)
	}
	command := exec.Command(path, arguments...)
	command.Dir = folder
	output, err := command.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s: %w: %s", errMissing, name, err, output)
	}
	return string(output), nil
}

func unpack(folder, name string) (string, error) {
	content, err := programs.ReadFile("testdata/" + name)
	if err != nil {
		return "", err
	}
	file := filepath.Join(folder, name)
	return file, os.WriteFile(file, content, 0o644)
}

// program starts a server that listens on the address it is told.
func program(name string, arguments func(address string) []string) (*server, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return nil, fmt.Errorf("%w: %s", errMissing, name)
	}
	address, err := testgateway.FreeAddress()
	if err != nil {
		return nil, err
	}
	command := exec.Command(path, arguments(address)...)
	var output strings.Builder
	command.Stdout, command.Stderr = &output, &output
	if err := command.Start(); err != nil {
		return nil, err
	}
	stop := func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	}
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if c, err := net.Dial("tcp", address); err == nil {
			_ = c.Close()
			return &server{proxied(address), stop}, nil
		}
	}
	stop()
	return nil, fmt.Errorf("%s does not listen: %s", name, output.String())
}

// configured starts a server with a configuration file, in which {…} are the address,
// the port and the folders.
func configured(folder, name, file string, arguments ...string) (*server, error) {
	root, err := files(folder)
	if err != nil {
		return nil, err
	}
	config, err := unpack(folder, file)
	if err != nil {
		return nil, err
	}
	return program(name, func(address string) []string {
		content, _ := os.ReadFile(config) // it has just been written
		filled := strings.NewReplacer("{address}", address, "{root}", root, "{folder}", folder).Replace(string(content))
		_ = os.WriteFile(config, []byte(filled), 0o644) // otherwise the server does not start
		return append(arguments, config)
	})
}
