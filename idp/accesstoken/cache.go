package accesstoken

import (
	"crypto/sha256"
	"sync"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/jwks"
)

// maxRemembered bounds a [cache], in bytes of claims and some for each entry. It is
// twice that for a moment.
const maxRemembered = 8 << 20

// remembered is what is known of a token until a time.
type remembered struct {
	token *Token
	err   error
	keys  *jwks.Set // that verified it
	until time.Time
}

func (r *remembered) size() int {
	size := 256
	if r.token != nil {
		size += len(r.token.claims)
	}
	return size
}

// cache remembers tokens by their hash, in two generations: when the young one is
// full, it becomes the old one, whose entries are forgotten unless they are asked for.
type cache struct {
	mu         sync.Mutex
	young, old map[[sha256.Size]byte]remembered
	size       int // of the young generation
}

func (c *cache) get(hash [sha256.Size]byte, now time.Time) (remembered, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	entry, ok := c.young[hash]
	if !ok {
		if entry, ok = c.old[hash]; ok {
			c.add(hash, entry)
		}
	}
	// A clock that jumps, or a machine that sleeps, moves one of the two clocks of a time.
	return entry, now.Before(entry.until) && now.Round(0).Before(entry.until.Round(0))
}

func (c *cache) put(hash [sha256.Size]byte, entry remembered, now time.Time) {
	if !now.Before(entry.until) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(hash, entry)
}

// add makes room first. The caller holds mu.
func (c *cache) add(hash [sha256.Size]byte, entry remembered) {
	if replaced, ok := c.young[hash]; ok {
		c.size -= replaced.size()
	}
	if c.young == nil || c.size+entry.size() > maxRemembered/2 {
		c.young, c.old, c.size = make(map[[sha256.Size]byte]remembered), c.young, 0
	}
	c.young[hash] = entry
	c.size += entry.size()
}
