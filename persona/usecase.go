package persona

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
)

// UseCase is what somebody wants to do, as they wrote it, with the tasks that are about it.
type UseCase struct {
	Name  string
	Tasks []*Task // the best first
}

// taskWords finds tasks by the words of their titles, tags and ids.
type taskWords struct {
	tasks  map[string][]int
	titles map[string][]int // those of tasks that have the word in their title or id
	tags   wordSet
	all    int
}

func indexTasks(c *Catalogue) taskWords {
	index := taskWords{tasks: map[string][]int{}, titles: map[string][]int{}, tags: wordSet{}, all: len(c.tasks)}
	for i, t := range c.tasks {
		tags := topics(strings.Join(t.Tags, " "))
		for _, tag := range tags {
			index.tags[tag] = true
		}
		title := topics(t.Title + " " + t.ID)
		for _, word := range title {
			index.titles[word] = appendNew(index.titles[word], i)
		}
		for _, word := range append(title, tags...) {
			index.tasks[word] = appendNew(index.tasks[word], i)
		}
	}
	return index
}

// sameTopic is how tasks call what people call otherwise: the unit of "unit tests" is not that of a measure.
var sameTopic = strings.NewReplacer("unit testing", "test", "unit test", "test", "testing", "test", "plot", "chart", "diagram", "chart")

// topics are the words of a text that say what it is about, without their plural.
func topics(text string) []string {
	v := embeddedVocabulary()
	var words []string
	text = sameTopic.Replace(strings.ToLower(text))
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		k := key(word)
		if len(k) > 2 && !v.doing[k] && !v.saysNothing(k) {
			words = append(words, strings.TrimSuffix(k, "s"))
		}
	}
	return words
}

const (
	mostOfUseCase   = 8    // tasks of one use case
	leastOfItsWords = 0.55 // that a task has, the rare ones counting more
)

// useCase finds the tasks that most of the words are about: "parse CSV". One word alone has to be a tag, unless something is done
// with it. Where languages are named, tasks with a snippet in one of them come before others.
func (c *Catalogue) useCase(text string, languages []int) (UseCase, bool) {
	words, index := topics(text), &c.ranking.words
	isDone := slices.ContainsFunc(strings.Fields(text), func(word string) bool { return c.vocabulary.doing[key(word)] })
	if len(words) == 0 || len(words) > mostTellingWords || len(words) == 1 && !isDone && !index.tags[words[0]] {
		return UseCase{}, false
	}
	total, scores, titled := 0.0, map[int]float64{}, map[int]int{}
	for _, word := range words {
		tasks := index.tasks[word]
		rare := math.Log(1 + float64(index.all)/float64(1+len(tasks)))
		if len(tasks) == 0 {
			rare /= 2 // it is not what tells tasks apart
		}
		total += rare
		for _, i := range tasks {
			scores[i] += rare
		}
		for _, i := range index.titles[word] {
			titled[i]++
		}
	}
	var best []int
	for i, score := range scores {
		if score >= leastOfItsWords*total {
			best = append(best, i)
		}
	}
	elsewhere := func(task int) int {
		isThere := func(s *Snippet) bool { return s.Task.index == task && slices.Contains(languages, s.Language.index) }
		return one(len(languages) > 0 && !slices.ContainsFunc(c.snippets, isThere))
	}
	slices.SortFunc(best, func(a, b int) int {
		return cmp.Or(elsewhere(a)-elsewhere(b), cmp.Compare(scores[b], scores[a]), titled[b]-titled[a], a-b)
	})
	found := UseCase{Name: text}
	for _, i := range best[:min(len(best), mostOfUseCase)] {
		found.Tasks = append(found.Tasks, c.tasks[i])
	}
	return found, len(best) > 0
}
