package testgateway

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAGoroutineThatStaysIsFound(t *testing.T) {
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		<-end
	}()
	require.ErrorContains(t, findLeaks(0), "TestAGoroutineThatStaysIsFound")
	close(end)
	<-ended
}
