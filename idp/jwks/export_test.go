package jwks

// Settled waits until no fetch is under way: one that has told why it failed has not yet ended, and the
// next would be part of it.
func (k *Keys) Settled() {
	<-k.fetches.DoChan("", func() (any, error) { return nil, nil })
}
