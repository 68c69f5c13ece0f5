package persona

import "testing"

func BenchmarkGenerate(b *testing.B) {
	c := Default()
	for _, bench := range []struct {
		name    string
		request Request
	}{
		{"typical", Request{Languages: []string{"Go", "Python"}, Personas: []string{"Backend Developer", "SRE"}}},
		{"nothing", Request{}},
		{"typos", Request{Languages: []string{"pyhton", "Javascrpit"}, Personas: []string{"data scietist"}}},
		{"everything", Request{Languages: namesOf(c.languages, languageID), Personas: namesOf(c.personas, personaID)}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.Generate(bench.request, DefaultLimit); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if _, err := Load(nil, embeddedFS()); err != nil {
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
