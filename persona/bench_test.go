package persona

import "testing"

func BenchmarkGenerate(b *testing.B) {
	c := Default()
	application := DefaultApplication()
	for _, bench := range []struct {
		name    string
		request Request
	}{
		{"typical", Request{Languages: []string{"Go", "Python"}, Personas: []string{"Backend Developer", "SRE"}}},
		{"nothing", Request{}},
		{"typos", Request{Languages: []string{"pyhton", "Javascrpit"}, Personas: []string{"data scietist"}}},
		{"everything", Request{Languages: namesOf(c.languages, languageID), Personas: namesOf(c.personas, personaID)}},
	} {
		var buffer []byte
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s, err := c.Generate(bench.request, DefaultLimit)
				if err != nil {
					b.Fatal(err)
				}
				buffer = s.AppendJSON(buffer[:0], application)
			}
			b.SetBytes(int64(len(buffer)))
		})
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if _, err := Load(nil, EmbeddedFS()); err != nil {
			b.Fatal(err)
		}
	}
}

func namesOf[T any](values []*T, name func(*T) string) []string {
	var names []string
	for _, v := range values {
		names = append(names, name(v))
	}
	return names
}
