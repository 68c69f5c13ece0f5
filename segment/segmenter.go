package segment

import (
	"context"
	"sync"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/langid"
	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/linetag"
	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/mention"
)

// Segmenter splits messages and names the languages of code. Get one from [Default].
type Segmenter struct {
	languages   *langid.Model
	byScore     []Language // the language of each of the model's scores
	mentions    *mention.Table
	builders    sync.Pool // of *builder
	classifiers sync.Pool // of *classifier
}

// Default returns the segmenter with the embedded models. They are decoded on the first call.
func Default() *Segmenter { return embedded() }

var embedded = sync.OnceValue(func() *Segmenter {
	model := linetag.Default()
	s := &Segmenter{languages: langid.Default()}
	for _, label := range s.languages.Labels() {
		s.byScore = append(s.byScore, languages().byTag[label])
	}
	var err error
	if s.mentions, err = mention.Embedded(s.languages.Labels()); err != nil {
		panic(err) // the table is part of the program
	}
	s.builders.New = func() any { return newBuilder(model) }
	s.classifiers.New = func() any { return &classifier{} }
	return s
})

// Segment splits text into its segments, in order. Text and code alternate, but code can follow code where markup stands between
// the two, or where the quote or list item that holds the first ends. The bytes between two segments are markup: the lines of
// code fences, the tags of <pre> and <code> elements, and blank lines next to marked code that touch no text. Other blank lines
// belong to the text next to them, or to the code around them. The segments of "" are none.
func (s *Segmenter) Segment(text string) []Segment {
	segments, _ := s.AppendSegments(context.Background(), nil, text)
	return segments
}

// AppendSegments appends the segments of text to dst and returns the extended slice. It allocates nothing but dst once its
// working memory has grown to the size of the messages. If ctx is done, it returns dst unchanged and the error of ctx.
//
// It calls ctx.Err every few milliseconds, from the caller's goroutine: a context of the caller's own can let other work go first
// there.
func (s *Segmenter) AppendSegments(ctx context.Context, dst []Segment, text string) ([]Segment, error) {
	if text == "" {
		return dst, ctx.Err()
	}
	b := s.builders.Get().(*builder)
	segments, err := b.build(ctx, dst, text)
	b.reset()
	s.builders.Put(b)
	if err != nil {
		return dst, err
	}
	return segments, nil
}
