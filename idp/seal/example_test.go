package seal_test

import (
	"crypto/rand"
	"fmt"
	"log"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

func ExampleKeys_Seal() {
	master := make([]byte, seal.MinMaster)
	_, _ = rand.Read(master) // never fails
	keys, err := seal.NewKeys([][]byte{master}, time.Now)
	if err != nil {
		log.Fatal(err)
	}

	const cart, coupon seal.Purpose = "cart", "coupon"
	sealed := string(keys.Seal(nil, cart, "user 17", []byte("two books")))

	plain, err := keys.Open(cart, "user 17", sealed)
	fmt.Printf("%s %v\n", plain, err)
	_, err = keys.Open(cart, "user 18", sealed)
	fmt.Println("For another user:", err)
	_, err = keys.Open(coupon, "user 17", sealed)
	fmt.Println("For another purpose:", err)
	// Output:
	// two books <nil>
	// For another user: not a value that was sealed here
	// For another purpose: not a value that was sealed here
}
