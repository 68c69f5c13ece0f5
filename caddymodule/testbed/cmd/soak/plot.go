package main

import (
	"bytes"
	"fmt"
	"html"
	"strings"
)

// curve is a line of a plot: a figure for each minute.
type curve struct {
	name, color string
	of          func(minute) float64
}

// Sizes of the plot, in pixels.
const (
	plotWidth, panelHeight = 860, 150
	marginLeft, marginTop  = 60, 28
)

// plot is an SVG with a panel for memory, goroutines, latencies and failures, over the minutes.
func (s *soak) plot() []byte {
	panels := []struct {
		title  string
		curves []curve
	}{
		{"memory, MB", []curve{
			{"node 1, resident", "#1f77b4", func(m minute) float64 { return float64(m.usage[0].Resident) / 1e6 }},
			{"node 1, heap", "#17becf", func(m minute) float64 { return float64(m.usage[0].Heap) / 1e6 }},
			{"node 2, resident", "#ff7f0e", func(m minute) float64 { return float64(m.usage[1].Resident) / 1e6 }},
		}},
		{"goroutines", []curve{
			{"node 1", "#1f77b4", func(m minute) float64 { return float64(m.usage[0].Goroutines) }},
			{"node 2", "#ff7f0e", func(m minute) float64 { return float64(m.usage[1].Goroutines) }},
		}},
		{"latency, ms", []curve{
			{"median", "#2ca02c", func(m minute) float64 { return m.figures.P50.Seconds() * 1e3 }},
			{"p99", "#d62728", func(m minute) float64 { return m.figures.P99.Seconds() * 1e3 }},
			{"static response, p99", "#7f7f7f", func(m minute) float64 { return m.plain.P99.Seconds() * 1e3 }},
		}},
		{"failures", []curve{
			{"while something was broken", "#9467bd", func(m minute) float64 { return float64(m.figures.Excused) }},
			{"else", "#d62728", func(m minute) float64 { return float64(m.figures.Failed + m.figures.Dropped) }},
		}},
	}
	var b bytes.Buffer
	height := len(panels)*(panelHeight+marginTop) + 40
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n", plotWidth, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="white"/>`+"\n", plotWidth, height)
	for i, panel := range panels {
		top := float64(i*(panelHeight+marginTop) + marginTop)
		s.panel(&b, panel.title, panel.curves, top)
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle">minutes</text>`+"\n</svg>\n", plotWidth/2, height-12)
	return b.Bytes()
}

// panel draws the curves from 0 to the largest figure.
func (s *soak) panel(b *bytes.Buffer, title string, curves []curve, top float64) {
	largest := 0.0
	for _, m := range s.minutes {
		for _, c := range curves {
			largest = max(largest, c.of(m))
		}
	}
	if largest == 0 {
		largest = 1
	}
	const bottom, width = panelHeight - 10, plotWidth - marginLeft - 20
	x := func(i int) float64 { return marginLeft + (float64(i)+0.5)*width/float64(len(s.minutes)) }
	fmt.Fprintf(b, `<text x="%d" y="%.0f" font-weight="bold">%s</text>`+"\n", marginLeft, top-8, html.EscapeString(title))
	left := float64(marginLeft + 120)
	for _, c := range curves {
		fmt.Fprintf(b, `<text x="%.0f" y="%.0f" fill="%s">%s</text>`+"\n", left, top-8, c.color, html.EscapeString(c.name))
		left += 9*float64(len(c.name)) + 20
	}
	for _, tick := range []float64{0, 0.5, 1} {
		y := top + bottom*(1-tick)
		fmt.Fprintf(b, `<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#dddddd"/><text x="%d" y="%.1f" text-anchor="end">%.4g</text>`+"\n",
			marginLeft, plotWidth-20, y, y, marginLeft-6, y+4, tick*largest)
	}
	for i, m := range s.minutes {
		if len(s.minutes) <= 10 || (i+1)%5 == 0 {
			fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle" fill="#777777">%d</text>`+"\n", x(i), top+bottom+14, i+1)
		}
		if strings.Contains(strings.Join(m.events, " "), "killed") {
			fmt.Fprintf(b, `<line x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f" stroke="#ff7f0e" stroke-dasharray="2 4"/>`+"\n", x(i), x(i), top, top+bottom)
		}
	}
	for _, c := range curves {
		var points []string
		for i, m := range s.minutes {
			points = append(points, fmt.Sprintf("%.1f,%.1f", x(i), top+bottom*(1-c.of(m)/largest)))
		}
		fmt.Fprintf(b, `<polyline fill="none" stroke="%s" stroke-width="1.5" points="%s"/>`+"\n", c.color, strings.Join(points, " "))
	}
}
