// Command dex is Dex (github.com/dexidp/dex) with its password database and a
// memory store, for `make interop`. It is a module of its own, so that nobody who
// uses the gateway gets Dex's dependencies.
//
// Version 2.13 is the last one that the Go module proxy serves under its tags:
// later ones lack the /v2 that their major version demands of a module path. It
// knows no PKCE, no user info and no logout.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"log"
	"net/http"

	"github.com/dexidp/dex/server"
	"github.com/dexidp/dex/storage"
	"github.com/dexidp/dex/storage/memory"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/sirupsen/logrus"
	"golang.org/x/crypto/bcrypt"
)

func main() {
	listen := flag.String("listen", "", "`address` to listen on")
	issuer := flag.String("issuer", "", "issuer `URL`")
	web := flag.String("web", "", "`folder` with Dex's templates")
	clients := flag.String("clients", "", "clients as a `JSON` array of id, redirect_uri and secret")
	email := flag.String("email", "", "`address` of the one user")
	password := flag.String("password", "", "the user's `password`")
	flag.Parse()

	logger := logrus.New()
	hash, err := bcrypt.GenerateFromPassword([]byte(*password), bcrypt.DefaultCost)
	if err != nil {
		log.Fatal(err)
	}
	var registered []struct {
		ID          string `json:"id"`
		RedirectURI string `json:"redirect_uri"`
		Secret      string `json:"secret"`
	}
	if err := json.Unmarshal([]byte(*clients), &registered); err != nil {
		log.Fatal(err)
	}
	var static []storage.Client
	for _, c := range registered {
		// Not Public: to Dex that means redirect URIs at http://localhost and no others.
		static = append(static, storage.Client{ID: c.ID, Name: c.ID, Secret: c.Secret, RedirectURIs: []string{c.RedirectURI}})
	}
	store := storage.WithStaticPasswords(memory.New(logger),
		[]storage.Password{{Email: *email, Hash: hash, Username: "ada", UserID: "ada"}}, logger)
	store = storage.WithStaticClients(store, static)
	store = storage.WithStaticConnectors(store, []storage.Connector{{ID: server.LocalConnector, Type: server.LocalConnector, Name: "Email"}})

	dex, err := server.NewServer(context.Background(), server.Config{
		Issuer: *issuer, Storage: store, SkipApprovalScreen: true,
		Web:    server.WebConfig{Dir: *web},
		Logger: logger, PrometheusRegistry: prometheus.NewRegistry(),
	})
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe(*listen, dex))
}
