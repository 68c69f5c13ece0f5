package idp

import (
	"net"
	"net/http"
)

// FilterFront is a writer for the response of the next handler to [Result.Next]. host
// is the gateway's name as the browser knows it, with or without a port.
func FilterFront(w http.ResponseWriter, host string) http.ResponseWriter {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return &frontWriter{ResponseWriter: w, host: host}
}

// frontWriter hides what else the writer can do: a connection that was taken over
// (Hijack) would carry requests past the gateway.
type frontWriter struct {
	http.ResponseWriter
	host    string
	written bool
}

// WriteHeader implements [http.ResponseWriter]. Interim responses are dropped.
func (w *frontWriter) WriteHeader(status int) {
	switch {
	case status == http.StatusSwitchingProtocols:
		status = http.StatusBadGateway
	case status < http.StatusOK:
		return
	}
	if !w.written {
		w.written = true
		filterFrontResponse(w.Header(), w.host)
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (w *frontWriter) Write(b []byte) (int, error) {
	if !w.written {
		w.WriteHeader(http.StatusOK)
	}
	return w.ResponseWriter.Write(b)
}

// FlushError is for [http.ResponseController].
func (w *frontWriter) FlushError() error {
	if !w.written {
		w.WriteHeader(http.StatusOK)
	}
	return http.NewResponseController(w.ResponseWriter).Flush()
}
