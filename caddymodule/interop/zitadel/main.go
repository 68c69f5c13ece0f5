// Command zitadel is the OpenID provider library of Zitadel
// (github.com/zitadel/oidc) with the server, login page and memory store of its
// own example, for `make interop`. It is a module of its own, so that nobody who
// uses the gateway gets its dependencies.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"log"
	"log/slog"
	"net/http"
	"os"

	"github.com/zitadel/oidc/v3/example/server/exampleop"
	"github.com/zitadel/oidc/v3/example/server/storage"
	"github.com/zitadel/oidc/v3/pkg/op"
)

func main() {
	listen := flag.String("listen", "", "`address` to listen on")
	issuer := flag.String("issuer", "", "issuer `URL`")
	certificate := flag.String("certificate", "", "`file` with the certificate, in PEM")
	key := flag.String("key", "", "`file` with its key, in PEM")
	clients := flag.String("clients", "", "clients as a `JSON` array of id, redirect_uri, return_to and secret")
	username := flag.String("username", "", "`name` of the one user")
	password := flag.String("password", "", "the user's `password`")
	flag.Parse()

	var registered []struct {
		ID          string `json:"id"`
		RedirectURI string `json:"redirect_uri"`
		ReturnTo    string `json:"return_to"`
		Secret      string `json:"secret"`
	}
	if err := json.Unmarshal([]byte(*clients), &registered); err != nil {
		log.Fatal(err)
	}
	known := make(map[string]*storage.Client)
	returnTo := make(map[string]string)
	for _, c := range registered {
		returnTo[c.ID] = c.ReturnTo
		if c.Secret == "" {
			known[c.ID] = storage.NativeClient(c.ID, c.RedirectURI)
		} else {
			known[c.ID] = storage.WebClient(c.ID, c.Secret, c.RedirectURI)
		}
	}
	store := &store{returnTo: returnTo, Storage: storage.NewStorageWithClients(&onlyUser{storage.User{
		ID: *username, Username: *username, Password: *password,
		FirstName: "Ada", LastName: "Lovelace", Email: "ada@example.com", EmailVerified: true,
	}}, known)}
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	log.Fatal(http.ListenAndServeTLS(*listen, *certificate, *key, exampleop.SetupServer(*issuer, store, logger, false)))
}

// store is the example's. Its clients have no registered pages to return to
// after a logout, which the library demands; here each has one.
type store struct {
	*storage.Storage
	returnTo map[string]string // by client id
}

func (s *store) GetClientByClientID(ctx context.Context, id string) (op.Client, error) {
	found, err := s.Storage.GetClientByClientID(ctx, id)
	if err != nil {
		return nil, err
	}
	return &client{found, s.returnTo[id]}, nil
}

type client struct {
	op.Client
	returnTo string
}

func (c *client) PostLogoutRedirectURIs() []string { return []string{c.returnTo} }

type onlyUser struct{ user storage.User }

func (u *onlyUser) GetUserByID(id string) *storage.User {
	if id != u.user.ID {
		return nil
	}
	return &u.user
}

func (u *onlyUser) GetUserByUsername(name string) *storage.User { return u.GetUserByID(name) }

// ExampleClientID names the example's service user, which nothing here uses.
func (u *onlyUser) ExampleClientID() string { return storage.ServiceUserID }
