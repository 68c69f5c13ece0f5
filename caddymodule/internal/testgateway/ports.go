package testgateway

import (
	"errors"
	"math/rand/v2"
	"net"
	"strconv"
)

// Systems give connections ports from 32768 on (Linux) or from 49152 on: one of those
// would not stay free until the server listens. Browsers refuse some up to 10080.
const firstPort, lastPort = 11_000, 32_000

// FreePorts returns the first of n ports in a row that nobody listens on at localhost.
func FreePorts(n int) (int, error) {
	for range 100 {
		port := firstPort + rand.IntN(lastPort-firstPort)
		if areFree(port, n) {
			return port, nil
		}
	}
	return 0, errors.New("no free ports in a row were found")
}

func areFree(port, n int) bool {
	for i := range n {
		listener, err := net.Listen("tcp", "localhost:"+strconv.Itoa(port+i))
		if err != nil {
			return false
		}
		defer listener.Close() // all are held until the last one is found
	}
	return true
}
