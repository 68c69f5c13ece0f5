package clientcert

import (
	"crypto/x509/pkix"
	"encoding/asn1"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is no text in the DER is nobody's name, whatever it looks like.
func TestSubjectsThatAreNoText(t *testing.T) {
	name, err := parseDN("CN=7")
	require.NoError(t, err)
	of := func(value any) []byte {
		der, err := asn1.Marshal(pkix.RDNSequence{{{Type: asn1.ObjectIdentifier{2, 5, 4, 3}, Value: value}}})
		require.NoError(t, err)
		return der
	}
	require.True(t, name.isSubject(of("7")))
	for _, value := range []any{7, []byte("7"), []string{"7"}} {
		require.False(t, name.isSubject(of(value)), value)
	}
	require.False(t, name.isSubject(append(of("7"), 0)), "with more behind it")
	require.False(t, name.isSubject(nil))
}

// A name that parses is that of a certificate whose subject has just these types and values,
// and of none in which one differs.
func FuzzDistinguishedName(f *testing.F) {
	for _, seed := range []string{
		`CN=app,O=Example\, Inc.,C=DE`, "UID=a,DC=b+OU=c", `CN=\ a\20\,b`, "1.2.840.113549.1.9.1=a@b", "CN=a,", `CN=\`, "CN=#00", "0.0=x", "2.999=x", "4.1=x",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		name, err := parseDN(text)
		if err != nil {
			return
		}
		der, ok := marshalDN(name)
		if !ok {
			return // a type that no certificate can have
		}
		if !name.isSubject(der) {
			t.Fatalf("%q is not %v", text, name)
		}
		other := slices.Clone(name)
		other[0] = []attribute{{name[0][0].oid, name[0][0].value + "x"}}
		if der, _ := marshalDN(other); name.isSubject(der) {
			t.Fatalf("%q is %v, too", text, other)
		}
	})
}

// Whatever the bytes are, they are a subject only if they are one in DER.
func FuzzSubject(f *testing.F) {
	name, _ := parseDN("CN=app,C=DE")
	der, _ := marshalDN(name)
	f.Add(der)
	f.Add([]byte{0x30, 0x80})
	f.Fuzz(func(t *testing.T, subject []byte) {
		if name.isSubject(subject) && !sameText(subject, name) {
			t.Fatalf("%x is CN=app,C=DE", subject)
		}
	})
}

func sameText(der []byte, name dn) bool {
	var sequence pkix.RDNSequence
	_, err := asn1.Unmarshal(der, &sequence)
	return err == nil && sequence.String() == "CN=app,C=DE" && len(sequence) == len(name)
}

func marshalDN(name dn) ([]byte, bool) {
	var sequence pkix.RDNSequence
	for _, level := range name {
		var set pkix.RelativeDistinguishedNameSET
		for _, a := range level {
			oid, ok := parseOID(a.oid)
			if !ok {
				return nil, false
			}
			set = append(set, pkix.AttributeTypeAndValue{Type: oid, Value: a.value})
		}
		sequence = append(sequence, set)
	}
	der, err := asn1.Marshal(sequence)
	return der, err == nil
}

// parseOID reads an identifier that DER can have (X.660).
func parseOID(s string) (asn1.ObjectIdentifier, bool) {
	var oid asn1.ObjectIdentifier
	arc := 0
	for _, c := range s + "." {
		if c == '.' {
			oid, arc = append(oid, arc), 0
			continue
		}
		arc = arc*10 + int(c-'0')
	}
	return oid, oid[0] <= 2 && (oid[0] == 2 || oid[1] < 40)
}
