package linetag

// sumRowsGeneric adds rows of the table to sum.
func sumRowsGeneric(sum *[Dim]int32, table []int8, rows []uint32) {
	for _, r := range rows {
		row := (*[Dim]int8)(table[int(r)*Dim:])
		for j, v := range row {
			sum[j] += int32(v)
		}
	}
}

// embedGeneric makes an embedding of the sums of a line's rows.
func embedGeneric(x *[Dim]float32, n *network, content, layout *[Dim]int32, norm float32) {
	for j := range x {
		x[j] = max(float32(content[j])*n.contentScale[j]*norm+n.dense.Bias[j]+float32(layout[j])*n.layoutScale[j], 0)
	}
}

// affineGeneric sets dst to x·Weight + Bias.
func affineGeneric(dst []float32, a *Affine, x []float32) {
	copy(dst, a.Bias)
	n := len(dst)
	for i, v := range x {
		w := a.Weight[i*n : i*n+n]
		for j := range dst {
			dst[j] += v * w[j]
		}
	}
}

// gemmGeneric computes the gates of all lines, one line after the other.
func gemmGeneric(gates [][Gates]float32, layer *Affine, joined [][Joined]float32, in int) {
	for i := range gates {
		affineGeneric(gates[i][:], layer, joined[i][:in])
	}
}

// sruGeneric runs the units of a layer, first forward, then backward.
func sruGeneric(joined [][Joined]float32, gates [][Gates]float32, in int) {
	var state [Units]float32
	for i := range joined {
		g := (*[2 * Units]float32)(gates[i][:2*Units])
		out := (*[Units]float32)(joined[i][in : in+Units])
		for j := range state {
			z := Gate(g[j])
			state[j] = g[Units+j] + z*(state[j]-g[Units+j])
		}
		*out = state
	}
	state = [Units]float32{}
	for i := len(joined) - 1; i >= 0; i-- {
		g := (*[2 * Units]float32)(gates[i][2*Units:])
		out := (*[Units]float32)(joined[i][in+Units : in+2*Units])
		for j := range state {
			z := Gate(g[j])
			state[j] = g[Units+j] + z*(state[j]-g[Units+j])
		}
		*out = state
	}
}
