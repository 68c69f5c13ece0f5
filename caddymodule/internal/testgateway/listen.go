package testgateway

import "net"

// Listen lets a test be a server that no library would be, which sees, and writes, the
// bytes of each connection. It listens on a free port of 127.0.0.1 until the listener is closed. Each
// connection is served in a goroutine of its own, and closed afterwards.
func Listen(serve func(net.Conn)) (net.Listener, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return // closed
			}
			go func() {
				defer c.Close()
				serve(c)
			}()
		}
	}()
	return listener, nil
}
