package segmentation

import "slices"

// AUC is the area under the ROC curve of scores: the probability that a score of positives is above one of negatives, ties
// counting half. 0 if either is empty.
func AUC(positives, negatives []float64) float64 {
	if len(positives) == 0 || len(negatives) == 0 {
		return 0
	}
	sorted := slices.Clone(negatives)
	slices.Sort(sorted)
	var sum float64
	for _, p := range positives {
		below, found := slices.BinarySearch(sorted, p)
		above := below
		for found && above < len(sorted) && sorted[above] == p {
			above++
		}
		sum += float64(below) + float64(above-below)/2
	}
	return sum / float64(len(positives)) / float64(len(negatives))
}
