package replay_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"log"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

func ExampleMemory_Claim() {
	ctx := context.Background()
	store := replay.NewMemory(replay.DefaultCapacity, time.Now)
	code := replay.Key(sha256.Sum256([]byte("a code")))

	claim, err := store.Claim(ctx, code, time.Minute)
	if err != nil {
		log.Fatal(err)
	}
	_, err = store.Claim(ctx, code, time.Minute)
	fmt.Println("Again:", err)

	// The IdP could not be reached, so the code is still good.
	if err := claim.Release(ctx); err != nil {
		log.Fatal(err)
	}
	_, err = store.Claim(ctx, code, time.Minute)
	fmt.Println("After the release:", err)
	// Output:
	// Again: the code is claimed already
	// After the release: <nil>
}
