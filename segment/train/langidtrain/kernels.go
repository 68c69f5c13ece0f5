package langidtrain

// addRowsGeneric is [addRows] without vector instructions.
func addRowsGeneric(sum, table []float32, rows []uint32) {
	for _, r := range rows {
		for i, v := range table[int(r)*len(sum):][:len(sum)] {
			sum[i] += v
		}
	}
}

// moveRowsGeneric is [moveRows] without vector instructions.
func moveRowsGeneric(table []float32, rows []uint32, by []float32) {
	for _, r := range rows {
		row := table[int(r)*len(by):][:len(by)]
		for i, v := range by {
			row[i] += v
		}
	}
}
