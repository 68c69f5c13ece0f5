package file

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

// childVariable has the file of a process that claims until it is killed, and where it
// begins.
const childVariable = "REPLAY_FILE_CHILD"

func TestMain(m *testing.M) {
	if path := os.Getenv(childVariable); path != "" {
		claimForever(path)
	}
	os.Exit(m.Run())
}

// claimForever says each number once its claim was answered.
func claimForever(path string) {
	s, err := Open(path, time.Now)
	if err != nil {
		panic(err)
	}
	first, _ := strconv.Atoi(os.Args[1])
	var group sync.WaitGroup
	for lane := range 8 {
		group.Go(func() {
			for n := first + lane; ; n += 8 {
				if _, err := s.Claim(context.Background(), numbered(n), time.Hour); err != nil {
					panic(err)
				}
				_, _ = fmt.Println(n) // one write
			}
		})
	}
	group.Wait()
}

func TestNothingThatWasAnsweredIsForgottenByAKill(t *testing.T) {
	path := newPath(t)
	var answered []int
	for range 8 {
		child := exec.Command(os.Args[0], strconv.Itoa(1_000_000*len(answered)))
		child.Env = append(os.Environ(), childVariable+"="+path)
		stdout := must.Have(child.StdoutPipe())(t)
		child.Stderr = os.Stderr
		require.NoError(t, child.Start())
		lines, enough := bufio.NewScanner(stdout), len(answered)+40
		for lines.Scan() {
			n := must.Have(strconv.Atoi(lines.Text()))(t)
			if answered = append(answered, n); len(answered) == enough {
				require.NoError(t, child.Process.Kill())
			}
		}
		require.Error(t, child.Wait())
		require.GreaterOrEqual(t, len(answered), enough)

		s := open(t, path, time.Now)
		for _, n := range answered {
			_, err := s.Claim(t.Context(), numbered(n), time.Hour)
			require.ErrorIs(t, err, replay.ErrClaimed, "%d", n)
		}
		require.NoError(t, s.Close())
	}
	t.Logf("%d claims, 8 kills", len(answered))
}
