package redis

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	goredis "github.com/redis/go-redis/v9"
)

// The forms of the URL, by what follows the + of its scheme, with the query
// parameters that each knows. Everything else that go-redis reads from a query
// is left out: retries and reading from replicas would break what the store
// promises, and timeouts and the pool have options of their own.
var queryParameters = map[string][]string{
	"":         {"db"},
	"sentinel": {"addr", "db", "master_name", "password", "username"},
	"cluster":  {"addr"},
}

// parseURL reads the URL of the Redis servers:
//
//	redis://[user[:password]@]host[:port][/db]
//	unix://[user[:password]@]/path/to/redis.sock[?db=db]
//	redis+sentinel://[user[:password]@]host[:port][/db]?master_name=name[&addr=host:port...][&username=user][&password=password]
//	redis+cluster://[user[:password]@]host[:port][?addr=host:port...]
//
// rediss instead of redis is TLS. These are the URLs of go-redis's ParseURL,
// ParseFailoverURL and ParseClusterURL, told apart by their schemes. The user
// of a Sentinel URL is the Sentinels', that of its query the Redis servers'.
//
// Errors never quote the URL: a password that was not percent-encoded can be in
// any part of it.
func parseURL(raw string) (*goredis.UniversalOptions, error) {
	u, err := url.Parse(raw)
	if err != nil {
		return nil, errors.New("the URL is malformed; percent-encode special characters of the user name and the password, or use the option password")
	}
	base, form, _ := strings.Cut(u.Scheme, "+")
	known := queryParameters[form]
	if known == nil || base != "redis" && base != "rediss" && u.Scheme != "unix" {
		return nil, errors.New("the store is a URL such as redis://localhost:6379; its scheme must be redis, rediss, unix, redis+sentinel, rediss+sentinel, redis+cluster or rediss+cluster")
	}
	if err := checkParts(u, known); err != nil {
		return nil, err
	}
	u.Scheme = base
	options := new(goredis.UniversalOptions)
	switch form {
	case "sentinel":
		o, err := goredis.ParseFailoverURL(u.String())
		if err != nil {
			return nil, errMalformed
		}
		if o.MasterName == "" {
			return nil, errors.New("the URL of Sentinels needs the name of the master that they watch: ?master_name=<name>")
		}
		options.Addrs, options.MasterName, options.DB = o.SentinelAddrs, o.MasterName, o.DB
		options.Username, options.Password = o.Username, o.Password
		options.SentinelUsername, options.SentinelPassword = o.SentinelUsername, o.SentinelPassword
		options.TLSConfig = o.TLSConfig
	case "cluster":
		o, err := goredis.ParseClusterURL(u.String())
		if err != nil {
			return nil, errMalformed
		}
		options.Addrs, options.IsClusterMode = o.Addrs, true
		options.Username, options.Password = o.Username, o.Password
		options.TLSConfig = o.TLSConfig
	default:
		o, err := goredis.ParseURL(u.String())
		if err != nil {
			return nil, errMalformed
		}
		options.Addrs, options.DB = []string{o.Addr}, o.DB
		options.Username, options.Password = o.Username, o.Password
		options.TLSConfig = o.TLSConfig
	}
	if options.TLSConfig != nil {
		// Without a name each server's certificate must be for the address that
		// it is reached at, also of the servers that Sentinels or a cluster name.
		options.TLSConfig.ServerName = ""
	}
	return options, nil
}

var errMalformed = errors.New("the URL is malformed")

// checkParts rejects what go-redis would ignore, or quote in an error.
func checkParts(u *url.URL, known []string) error {
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return errors.New("the query of the URL is malformed")
	}
	for name := range query {
		if !slices.Contains(known, name) {
			return fmt.Errorf("the query of the URL has a parameter other than %s", strings.Join(known, ", "))
		}
	}
	if u.Fragment != "" {
		return errors.New("the URL has a fragment (#); percent-encode special characters of the user name and the password")
	}
	databases := query["db"]
	if u.Scheme == "unix" {
		if u.Host != "" || u.Path == "" {
			return errors.New("the URL of a Unix socket has three slashes: unix:///run/redis/redis.sock")
		}
	} else {
		if u.Host == "" {
			return errors.New("the URL has no host")
		}
		if path := strings.Trim(u.Path, "/"); path != "" {
			databases = append(databases, path)
		}
	}
	for _, database := range databases {
		if _, err := strconv.ParseUint(database, 10, 16); err != nil {
			return errors.New("the database in the URL is not a number; percent-encode special characters of the user name and the password")
		}
		if !slices.Contains(known, "db") && strings.Trim(database, "0") != "" {
			return errors.New("a cluster has database 0 only")
		}
	}
	return nil
}
