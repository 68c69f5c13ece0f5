package linetagtrain

import (
	"math"
	"math/bits"
	"slices"
	"sync"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/linetag"
)

// shards is the number of parts that a batch is computed in. It is fixed, so that sums come out the same however many
// processors there are.
const shards = 4

// inShards calls f with the numbers below n, each with its shard, those of a shard in order.
func inShards(n int, f func(shard, i int)) {
	var wait sync.WaitGroup
	for s := range shards {
		wait.Go(func() {
			for i := s; i < n; i += shards {
				f(s, i)
			}
		})
	}
	wait.Wait()
}

// optimiser fits the parameters: Adam (Kingma and Ba, 2015) for the dense ones, Adagrad (Duchi et al., 2011) with one
// accumulator per row for the table.
type optimiser struct {
	table      []float32
	history    []float32 // per row
	dense      *linetag.Dense
	transposed transposed
	grads      [shards]*linetag.Dense
	first      *linetag.Dense
	second     *linetag.Dense
	steps      int
	rows       [][]uint32 // working memory for the rows of the table whose numbers have the same remainder
}

// newOptimiser returns an optimiser for the parameters that uses so many processors.
func newOptimiser(table []float32, dense *linetag.Dense, processors int) *optimiser {
	o := &optimiser{
		table: table, dense: dense, transposed: transpose(dense),
		history: slices.Repeat([]float32{1e-7}, linetag.Rows), first: linetag.NewDense(), second: linetag.NewDense(),
	}
	for i := range o.grads {
		o.grads[i] = linetag.NewDense()
	}
	o.rows = make([][]uint32, 1<<(bits.Len(uint(max(processors, 1)))-1)) // a power of two
	return o
}

// step does one step of gradient descent on a batch and returns the sum of the losses.
func (o *optimiser) step(batch []*example, denseRate, tableRate float32) float64 {
	for _, grad := range o.grads {
		for _, part := range grad.Slices() {
			clear(part)
		}
	}
	inShards(len(batch), func(s, i int) {
		batch[i].forward(o.table, o.dense)
		batch[i].backward(o.dense, &o.transposed, o.grads[s])
	})
	o.adam(denseRate)
	var wait sync.WaitGroup
	for remainder := range o.rows {
		wait.Go(func() { o.adagrad(batch, remainder, tableRate) })
	}
	wait.Wait()
	var loss float64
	for _, e := range batch {
		loss += e.loss
	}
	return loss
}

func (o *optimiser) adam(rate float32) {
	o.steps++
	const keep1, keep2 = 0.9, 0.999
	fix1 := float32(1 / (1 - math.Pow(keep1, float64(o.steps))))
	fix2 := float32(1 / (1 - math.Pow(keep2, float64(o.steps))))
	constants := [7]float32{keep1, 1 - keep1, keep2, 1 - keep2, fix2, rate * fix1, 1e-8}
	var grads [shards][][]float32
	for s := range grads {
		grads[s] = o.grads[s].Slices()
	}
	first, second := o.first.Slices(), o.second.Slices()
	for k, values := range o.dense.Slices() {
		sum := grads[0][k]
		for _, g := range grads[1:] {
			add(sum, g[k])
		}
		adam(values, first[k], second[k], sum, &constants)
	}
	o.transposed = transpose(o.dense)
}

// adagrad updates the rows whose numbers have a remainder, always in the order of the batch: the result does not depend on
// the number of processors.
func (o *optimiser) adagrad(batch []*example, remainder int, rate float32) {
	for _, e := range batch {
		f := &e.features
		begin := int32(0)
		for i := range f.Index {
			o.update(remainder, e.rows[begin:f.Hashed[i]], &e.content[i], rate)
			o.update(remainder, e.rows[f.Hashed[i]:f.End[i]], &e.layout[i], rate)
			begin = f.End[i]
		}
	}
}

func (o *optimiser) update(remainder int, rows []uint32, g *[linetag.Dim]float32, rate float32) {
	var square float32
	for _, v := range g {
		square += v * v
	}
	square /= linetag.Dim
	if square < 1e-14 {
		return
	}
	own := grow(o.rows[remainder], len(rows))
	kept := 0
	for _, r := range rows {
		own[kept] = r
		if int(r)&(len(o.rows)-1) == remainder {
			kept++
		}
	}
	o.rows[remainder] = own
	adagradRows(o.table, o.history, own[:kept], g, square, rate)
}

// mean is the mean of a network's parameters at several times (Izmailov et al., "Averaging Weights Leads to Wider Optima
// and Better Generalization", 2018).
type mean struct {
	linetag.Parameters
	count int
}

func (m *mean) add(p linetag.Parameters) {
	m.count++
	part := 1 / float32(m.count)
	from := append(p.Dense.Slices(), p.Table)
	for k, to := range append(m.Dense.Slices(), m.Table) {
		for i := range to {
			to[i] += (from[k][i] - to[i]) * part
		}
	}
}
