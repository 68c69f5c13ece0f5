package pages

import (
	"encoding/hex"
	"fmt"
	"html/template"
	"math"
	"strings"
)

type rgb [3]byte

var (
	white, black = rgb{255, 255, 255}, rgb{}
	lightPalette = palette{text: rgb{0x1c, 0x1c, 0x1e}, back: white, accent: rgb{0x0b, 0x57, 0xd0}, mark: rgb{0xee, 0xee, 0xee}}
	darkPalette  = palette{text: rgb{0xee, 0xee, 0xee}, back: rgb{0x1c, 0x1c, 0x1e}, accent: rgb{0xa8, 0xc7, 0xfa}, mark: rgb{0x33, 0x33, 0x33}}
)

// palette are the colors of light or dark screens. On mark stands what is marked, in the color of
// the text.
type palette struct{ text, back, accent, mark rgb }

// CSS declares the colors.
func (p palette) CSS() template.CSS {
	on := white
	if contrast(black, p.accent) > contrast(white, p.accent) {
		on = black
	}
	return template.CSS(fmt.Sprintf("--text: %s; --back: %s; --accent: %s; --on-accent: %s; --mark: %s", p.text, p.back, p.accent, on, p.mark))
}

// parseColor reads six hexadecimal digits. A # may stand before them.
func parseColor(text string) (c rgb, err error) {
	digits, err := hex.DecodeString(strings.TrimPrefix(text, "#"))
	if err != nil || len(digits) != len(c) {
		return c, fmt.Errorf("%q is not a color; write six hexadecimal digits, such as 0b57d0", text)
	}
	return rgb(digits), nil
}

// String is the color in CSS.
func (c rgb) String() string { return "#" + hex.EncodeToString(c[:]) }

// minContrast is that of text to what is behind it (WCAG 2.2, success criterion 1.4.3, level AA).
const minContrast = 4.5

// contrast is the ratio of WCAG 2.2, from 1 to 21.
func contrast(a, b rgb) float64 {
	x, y := a.luminance(), b.luminance()
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// luminance is the relative luminance of WCAG 2.2, from 0 to 1.
func (c rgb) luminance() (sum float64) {
	for i, weight := range [...]float64{0.2126, 0.7152, 0.0722} {
		part := float64(c[i]) / 255
		if part <= 0.04045 {
			part /= 12.92
		} else {
			part = math.Pow((part+0.055)/1.055, 2.4)
		}
		sum += weight * part
	}
	return sum
}

// color takes the colors of a configuration that can be read.
func (t *Theme) color(c Config) error {
	for _, option := range [...]struct {
		name        string
		values      []string
		light, dark *rgb
	}{{"accent", c.Accent, &t.Light.accent, &t.Dark.accent}, {"background", c.Background, &t.Light.back, &t.Dark.back}} {
		if len(option.values) == 0 {
			continue
		}
		if len(option.values) != 2 {
			return fmt.Errorf("pages: %s needs two colors, for light and for dark screens, not %d", option.name, len(option.values))
		}
		for i, target := range [...]*rgb{option.light, option.dark} {
			var err error
			if *target, err = parseColor(option.values[i]); err != nil {
				return fmt.Errorf("pages: %s %w", option.name, err)
			}
		}
	}
	for i, p := range [...]palette{t.Light, t.Dark} {
		screens := [...]string{"light", "dark"}[i]
		if ratio := contrast(p.text, p.back); ratio < minContrast {
			return fmt.Errorf("pages: background %s of %s screens: the text on it, which is %s, has a contrast of %.2f:1; it must be %.1f:1 or more (WCAG AA)", p.back, screens, p.text, ratio, minContrast)
		}
		if ratio := contrast(p.accent, p.back); ratio < minContrast {
			return fmt.Errorf("pages: accent %s of %s screens has a contrast of %.2f:1 to the background %s; it must be %.1f:1 or more (WCAG AA)", p.accent, screens, ratio, p.back, minContrast)
		}
	}
	return nil
}
