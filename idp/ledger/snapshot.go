package ledger

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
)

// snapshotMagic opens a snapshot and names its version.
const snapshotMagic = "login ledger 1\n"

// A record is an entry in a snapshot: its key, its time as four bytes
// (big-endian Unix seconds) and its state as one.
const recordSize = len(key{}) + 4 + 1

// Snapshot writes the ledger's content, for a later [Memory.Restore]. It ends
// with a SHA-256 of what stands before. An exchange that is under way counts as
// spent, since it may succeed after the snapshot.
func (m *Memory) Snapshot() []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	data := make([]byte, 0, len(snapshotMagic)+len(m.index)*recordSize+sha256.Size)
	data = append(data, snapshotMagic...)
	for _, l := range [...]*list{&m.pending, &m.spent} {
		for i := l.first; i != 0; i = m.entries[i].next {
			data = m.entries[i].record(data)
		}
	}
	for i := range m.entries[1:] {
		if e := m.entries[i+1]; e.state == isHeld {
			e.state = isSpent
			data = e.record(data)
		}
	}
	sum := sha256.Sum256(data)
	return append(data, sum[:]...)
}

func (e *entry) record(dst []byte) []byte {
	dst = append(dst, e.key[:]...)
	dst = binary.BigEndian.AppendUint32(dst, e.at)
	return append(dst, byte(e.state))
}

// Restore takes up the content of a snapshot. What is expired or known already
// is left out, and so is what does not fit.
func (m *Memory) Restore(snapshot []byte) error {
	body := len(snapshot) - sha256.Size
	if body < len(snapshotMagic) || string(snapshot[:len(snapshotMagic)]) != snapshotMagic ||
		sha256.Sum256(snapshot[:body]) != [sha256.Size]byte(snapshot[body:]) ||
		(body-len(snapshotMagic))%recordSize != 0 {
		return errors.New("not a snapshot of a ledger, or a damaged one")
	}
	now := m.seconds()
	m.mu.Lock()
	defer m.mu.Unlock()
	for records := snapshot[len(snapshotMagic):body]; len(records) > 0; records = records[recordSize:] {
		e := entry{
			key:   key(records[:len(key{})]),
			at:    binary.BigEndian.Uint32(records[len(key{}):]),
			state: state(records[recordSize-1]),
		}
		if _, known := m.index[e.key]; known || m.isExpired(&e, now) || e.state != isPending && e.state != isSpent {
			continue
		}
		i, err := m.add(e.key, e.at, e.state)
		if err != nil {
			return err
		}
		if e.state == isPending {
			m.append(&m.pending, i)
		} else {
			m.append(&m.spent, i)
		}
	}
	return nil
}
