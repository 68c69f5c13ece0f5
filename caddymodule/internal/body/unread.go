package body

import "net/http"

// CloseConnection has the connection of r closed after the response, if it is
// HTTP/1 and r has a body. Call it before the response's header is written, and
// [KeepConnection] once the body has been read to its end.
//
// A server that responds in the middle of an HTTP/1.1 request has to read the
// rest of it before the connection can carry another one. net/http does so in
// front of the response's header, up to 256 KiB, and where `Expect:
// 100-continue` holds the body back it asks for it first. With `Connection:
// close` the response goes out at once (RFC 9112 section 9.6). HTTP/2 and HTTP/3
// end the one stream and need nothing: there the field would end the whole
// connection.
func CloseConnection(w http.ResponseWriter, r *http.Request) {
	if r.ProtoMajor == 1 && r.ContentLength != 0 && r.Body != nil && r.Body != http.NoBody {
		w.Header().Set("Connection", "close")
	}
}

// KeepConnection takes [CloseConnection] back.
func KeepConnection(w http.ResponseWriter) {
	w.Header().Del("Connection")
}
