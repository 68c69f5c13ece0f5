package idp

// register registers a client that the gateway has never seen (RFC 7591 section 3). It
// remembers nothing of it.
func (f *flow) register() (Response, error) {
	form, err := f.readBodyWithin(maxRegistration)
	if err != nil {
		return Response{}, err
	}
	request, err := f.policy.parseRegistration(f.r.Header, form)
	if err != nil {
		return Response{}, err
	}
	s, err := f.sealing()
	if err != nil {
		return Response{}, err
	}
	return f.policy.registeredAs(s, request)
}
