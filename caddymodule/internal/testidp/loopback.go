package testidp

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
)

// checkLoopback returns an error unless the peer, our own address and the Host
// all belong to this machine. The Host counts because a foreign web page can
// make a browser resolve its own name to 127.0.0.1 (DNS rebinding).
func checkLoopback(r *http.Request) error {
	if !loopbackHostPort(r.RemoteAddr) {
		return errors.New("the request comes from another machine; only requests over the loopback interface are served")
	}
	// A Unix socket is on no network.
	if local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok && local.Network() != "unix" && !loopbackHostPort(local.String()) {
		return errors.New("the request arrived on a public address; bind the site to localhost")
	}
	if !loopbackHostPort(r.Host) {
		return errors.New("the Host of the request is not localhost or a loopback address")
	}
	return nil
}

// loopbackHostPort accepts "localhost" and loopback addresses, with or without
// a port, and the "@" that net/http reports for a peer on a Unix socket.
func loopbackHostPort(hostport string) bool {
	if hostport == "@" {
		return true
	}
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = hostport
	}
	return loopbackHost(host)
}

func loopbackHost(host string) bool {
	if host == "localhost" {
		return true
	}
	if len(host) > 2 && host[0] == '[' && host[len(host)-1] == ']' {
		host = host[1 : len(host)-1]
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}
