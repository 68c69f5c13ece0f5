package linetagtrain

import (
	"math"
	"sync"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/linetag"
)

// shards is the number of parts that a batch is computed in. It is fixed, so that sums come out the same however many
// processors there are.
const shards = 4

// optimiser fits the parameters: Adam (Kingma and Ba, 2015) for the dense ones, Adagrad (Duchi et al., 2011) with one
// accumulator per row for the table.
type optimiser struct {
	table   []float32
	history []float32 // per row
	dense   *linetag.Dense
	grads   [shards]*linetag.Dense
	first   *linetag.Dense
	second  *linetag.Dense
	steps   int
}

func newOptimiser(table []float32, dense *linetag.Dense) *optimiser {
	o := &optimiser{table: table, dense: dense, history: make([]float32, linetag.Rows), first: linetag.NewDense(), second: linetag.NewDense()}
	for i := range o.grads {
		o.grads[i] = linetag.NewDense()
	}
	for i := range o.history {
		o.history[i] = 1e-7
	}
	return o
}

// step does one step of gradient descent on a batch and returns the sum of the losses.
func (o *optimiser) step(batch []*example, denseRate, tableRate float32) float64 {
	var wait sync.WaitGroup
	for s := range shards {
		wait.Go(func() {
			grad := o.grads[s]
			for _, part := range grad.Slices() {
				clear(part)
			}
			for i := s; i < len(batch); i += shards {
				batch[i].forward(o.table, o.dense)
				batch[i].backward(o.dense, grad)
			}
		})
	}
	wait.Wait()
	o.adam(denseRate)
	for s := range shards {
		wait.Go(func() { o.adagrad(batch, uint32(s), tableRate) })
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
	var grads [shards][][]float32
	for s := range grads {
		grads[s] = o.grads[s].Slices()
	}
	first, second := o.first.Slices(), o.second.Slices()
	for k, part := range o.dense.Slices() {
		for i := range part {
			var g float32
			for s := range grads {
				g += grads[s][k][i]
			}
			first[k][i] = keep1*first[k][i] + (1-keep1)*g
			second[k][i] = keep2*second[k][i] + (1-keep2)*g*g
			part[i] -= rate * first[k][i] * fix1 / (float32(math.Sqrt(float64(second[k][i]*fix2))) + 1e-8)
		}
	}
}

// adagrad updates the rows of a shard, always in the order of the batch.
func (o *optimiser) adagrad(batch []*example, shard uint32, rate float32) {
	for _, e := range batch {
		f := &e.features
		begin := int32(0)
		for i := range f.Index {
			o.update(f.Rows[begin:f.Hashed[i]], &e.content[i], shard, rate)
			o.update(f.Rows[f.Hashed[i]:f.End[i]], &e.layout[i], shard, rate)
			begin = f.End[i]
		}
	}
}

func (o *optimiser) update(rows []uint32, g *[linetag.Dim]float32, shard uint32, rate float32) {
	var square float32
	for _, v := range g {
		square += v * v
	}
	square /= linetag.Dim
	if square < 1e-14 {
		return
	}
	for _, r := range rows {
		if r%shards != shard {
			continue
		}
		h := o.history[r] + square
		o.history[r] = h
		step := rate / float32(math.Sqrt(float64(h)))
		descend((*[linetag.Dim]float32)(o.table[int(r)*linetag.Dim:]), g, step)
	}
}
