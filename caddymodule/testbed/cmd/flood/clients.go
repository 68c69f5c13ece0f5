package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
)

// sample is what the messages repeat: prose, unmarked code, a fence and a log.
const sample = "It worked until Tuesday. Since then every second upload stops half way, and I have no idea why:\n\n" +
	"def upload(path, retries=3):\n    with open(path, 'rb') as f:\n        for attempt in range(retries):\n" +
	"            if session.post(URL, data=f).ok:\n                return attempt\n    raise IOError(path)\n\n" +
	"The other side says\n\n```\n2024-05-01 12:00:01 ERROR upload.py:17 connection reset by peer\n" +
	"2024-05-01 12:00:02 INFO upload.py:21 giving up after 3 attempts\n```\n\nand nothing else. Any hint would help, thank you!\n\n"

// request is a whole request with a message of about f.size bytes.
func (f *flood) request(address string) ([]byte, error) {
	body, err := json.Marshal(map[string]string{"value": strings.Repeat(sample, f.size/(len(sample)+50))})
	if err != nil {
		return nil, err
	}
	return append(fmt.Appendf(nil, "POST /machine_learning/text/technical_language/parsers/segmentation?classify=true HTTP/1.1\r\n"+
		"Host: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", address, len(body)), body...), nil
}

// counts are how many requests ended how.
type counts struct{ served, rejected, failed int }

// start starts clients that send the request again and again. The function that
// it returns waits until they have ended.
func (f *flood) start(address string, request []byte, clients int, until time.Time) func() (counts, error) {
	var (
		group sync.WaitGroup
		mu    sync.Mutex
		total counts
	)
	for range clients {
		group.Go(func() {
			var c client
			defer c.close()
			for time.Now().Before(until) {
				status, wait := c.send(address, request, until)
				if time.Now().After(until) {
					return // what the end cut off counts as nothing
				}
				mu.Lock()
				switch status {
				case http.StatusOK:
					total.served++
				case http.StatusServiceUnavailable:
					total.rejected++
				default:
					total.failed++
				}
				mu.Unlock()
				if !f.hostile {
					time.Sleep(wait)
				}
			}
		})
	}
	return func() (counts, error) {
		group.Wait()
		if clients > 0 && total.served == 0 {
			return total, errors.New("no message was served")
		}
		return total, nil
	}
}

// client is one client with the connection that it keeps.
type client struct {
	conn   net.Conn
	reader *bufio.Reader
}

func (c *client) close() {
	if c.conn != nil {
		c.conn.Close()
		c.conn = nil
	}
}

// send sends the request and reads the response, which may come before the
// request has been sent. The status is 0 if there was none. It says how long to
// wait until the next request.
func (c *client) send(address string, request []byte, until time.Time) (status int, wait time.Duration) {
	if c.conn == nil {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			return 0, 0
		}
		c.conn, c.reader = conn, bufio.NewReader(conn)
		_ = conn.SetDeadline(until.Add(time.Second))
	}
	sent := make(chan error, 1)
	conn := c.conn
	go func() {
		_, err := conn.Write(request)
		sent <- err
	}()
	response, err := http.ReadResponse(c.reader, nil)
	if err == nil {
		_, err = io.Copy(io.Discard, response.Body)
		response.Body.Close()
	}
	if err != nil || response.Close {
		c.close()
	}
	if <-sent != nil {
		c.close()
	}
	if err != nil {
		return 0, 0
	}
	seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
	return response.StatusCode, time.Duration(seconds) * time.Second
}
