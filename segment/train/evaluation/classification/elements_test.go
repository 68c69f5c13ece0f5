package classification

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestByElements(t *testing.T) {
	for _, c := range []struct{ text, label, want string }{
		{"type Props = React.ComponentProps<typeof Button>;", "tsx", "typescript"},
		{"export default function App() {}", "jsx", "javascript"},
		{"const [open, setOpen] = useState<boolean>(false);", "tsx", "typescript"},
		{"const first = <T,>(all: T[]): T => all[0];", "tsx", "typescript"},
		{"const all: Array<Record<string, number>> = [];", "tsx", "typescript"},
		{"if (a < b && c > d) {", "jsx", "javascript"},
		{"return <App />;", "jsx", "jsx"},
		{"<div className=\"box\">", "tsx", "tsx"},
		{"  <Form\n    onSubmit={send}", "tsx", "tsx"},
		{"{open && <Menu items={items}>", "jsx", "jsx"},
		{"<select multiple>", "tsx", "tsx"},
		{"<>\n  text", "tsx", "tsx"},
		{"</li>", "jsx", "jsx"},
		{"document.title = 'x';", "html", Undecided},
		{"color: red;", "vue", Undecided},
		{"    class=\"box\">", "html", "html"},
		{"{{ name }}", "twig", "twig"},
		{"<div></div>", "html", "html"},
		{"var x = 1;", "javascript", "javascript"},
	} {
		require.Equal(t, c.want, ByElements(c.text, c.label), c.text)
	}
}
