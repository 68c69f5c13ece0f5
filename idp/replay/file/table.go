package file

import (
	"bytes"
	"encoding/binary"
	"time"

	"go.etcd.io/bbolt"

	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

// What entries take: entryOverhead beside the value, with the key and what bbolt keeps
// free, and a claim in all.
const (
	entryOverhead = 92
	claimSize     = entryOverhead + 8
)

// Entries that are over are looked for in turn: sweptBeside with each write, so that
// they are at most a third of the table, and sweptWhenFull before a table counts as full.
const (
	sweptBeside   = 4
	sweptWhenFull = 1 << 13
)

// table is a bucket of entries that expire. An entry is
//
//	expires: in Unix nanoseconds (8) | value
//
// and the bucket's sequence is what all entries take.
type table struct {
	name []byte
	most int64  // bytes
	next []byte // the key at which sweeping goes on; nil: the first
}

func newTable(name string, most int64) *table { return &table{name: []byte(name), most: most} }

func (t *table) size(tx *bbolt.Tx) int64 { return int64(tx.Bucket(t.name).Sequence()) }

// get is the value of a key, nil if there is none that is not over.
func (t *table) get(tx *bbolt.Tx, key replay.Key, passed time.Time) []byte {
	entry := tx.Bucket(t.name).Get(key[:])
	if entry == nil || isOver(entry, passed) {
		return nil
	}
	return entry[8:]
}

func isOver(entry []byte, passed time.Time) bool {
	return int64(binary.BigEndian.Uint64(entry)) <= passed.UnixNano()
}

// swap is [replay.StateStore.CompareAndSwap].
func (t *table) swap(tx *bbolt.Tx, key replay.Key, old, replacement []byte, expires, passed time.Time) (bool, error) {
	if !same(t.get(tx, key, passed), old) {
		return false, nil
	}
	if replacement == nil {
		return true, t.remove(tx, key[:])
	}
	bucket := tx.Bucket(t.name)
	grown := int64(entryOverhead + len(replacement))
	if there := bucket.Get(key[:]); there != nil { // it may be over
		grown = int64(len(replacement) + 8 - len(there))
	}
	if err := t.makeRoom(tx, grown, passed); err != nil {
		return false, err
	}
	entry := append(binary.BigEndian.AppendUint64(nil, uint64(expires.UnixNano())), replacement...)
	if err := bucket.Put(key[:], entry); err != nil {
		return false, err
	}
	return true, bucket.SetSequence(uint64(t.size(tx) + grown))
}

func (t *table) remove(tx *bbolt.Tx, key []byte) error {
	bucket := tx.Bucket(t.name)
	entry := bucket.Get(key)
	if entry == nil {
		return nil
	}
	size := int64(entryOverhead + len(entry) - 8)
	if err := bucket.Delete(key); err != nil {
		return err
	}
	return bucket.SetSequence(uint64(t.size(tx) - size))
}

// makeRoom makes sure that there is room for so many bytes more. It never removes what
// is not over.
func (t *table) makeRoom(tx *bbolt.Tx, grown int64, passed time.Time) error {
	if grown <= 0 || t.size(tx)+grown <= t.most {
		return nil
	}
	if err := t.sweep(tx, sweptWhenFull, passed); err != nil {
		return err
	}
	if t.size(tx)+grown > t.most {
		return replay.ErrFull
	}
	return nil
}

// sweep looks at the next n entries and removes those that are over.
func (t *table) sweep(tx *bbolt.Tx, n int, passed time.Time) error {
	var over [][]byte
	cursor := tx.Bucket(t.name).Cursor()
	key, entry := cursor.Seek(t.next)
	for ; n > 0 && key != nil; n-- {
		if isOver(entry, passed) {
			over = append(over, bytes.Clone(key))
		}
		key, entry = cursor.Next()
	}
	t.next = bytes.Clone(key)
	for _, key := range over {
		if err := t.remove(tx, key); err != nil {
			return err
		}
	}
	return nil
}
