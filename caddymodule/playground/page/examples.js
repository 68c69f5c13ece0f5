// Messages and people to begin with.

export const messages = [
  {
    name: 'A question',
    text: `Hi all, this worked yesterday and today it does not:

import csv

def totals(path):
    with open(path) as f:
        rows = csv.DictReader(f)
    return sum(float(r["amount"]) for r in rows)

print(totals("march.csv"))

It ends with

Traceback (most recent call last):
  File "totals.py", line 8, in <module>
    print(totals("march.csv"))
  File "totals.py", line 6, in totals
    return sum(float(r["amount"]) for r in rows)
ValueError: I/O operation on closed file.

Is the with block the problem? It is indented the way the docs do it.
`,
  },
  {
    name: 'Two languages, no fences',
    text: `The report is slow because of this query, it scans the whole table:

SELECT customer_id, SUM(total) AS spent
FROM orders
WHERE created_at > now() - interval '30 days'
GROUP BY customer_id
ORDER BY spent DESC
LIMIT 20;

and we call it once for each shop, from here:

func (s *Server) report(ctx context.Context, shops []Shop) ([]Row, error) {
	var rows []Row
	for _, shop := range shops {
		found, err := s.db.TopCustomers(ctx, shop.ID)
		if err != nil {
			return nil, fmt.Errorf("shop %d: %w", shop.ID, err)
		}
		rows = append(rows, found...)
	}
	return rows, nil
}

An index on (created_at, customer_id) and one query for all shops should do it.
`,
  },
  {
    name: 'Setting up',
    text: `Welcome! To get going, clone the repository and start the database first:

git clone https://git.example.com/shop/api.git && cd api
docker compose up -d postgres
npm ci

Then put this into config.yaml, with your own token:

server:
  port: 8080
  tokens:
    - name: dev
      value: change-me
database:
  url: postgres://localhost/shop

If npm complains about your Node version, ask in #dev, we keep a list there.
`,
  },
  {
    name: 'Markdown',
    text: `## What changed

- \`useCart\` no longer loads the cart twice
- the button says how many items there are

\`\`\`tsx
export function CartButton({ items }: { items: Item[] }) {
  const count = items.reduce((n, item) => n + item.quantity, 0);
  return <button aria-label={\`Cart, \${count} items\`}>{count}</button>;
}
\`\`\`

The fence below has no language. It gets one:

\`\`\`
.cart-button {
  position: relative;
  padding: 0.5rem 0.75rem;
  border-radius: 999px;
}
\`\`\`

Please look at the *reduce*, I am not sure that it is the clearest way.
`,
  },
  {
    name: 'A quoted mail',
    text: `> On Tuesday Noor wrote:
> > Could you show me how you count the words?
>
> Sure:
>
> fn count(text: &str) -> HashMap<&str, usize> {
>     let mut words = HashMap::new();
>     for word in text.split_whitespace() {
>         *words.entry(word).or_insert(0) += 1;
>     }
>     words
> }

Thank you! Does that treat "Word" and "word" as one? I think it does not.
`,
  },
  {
    name: 'A ticket',
    text: `h3. Export fails for some users

It ends with 500. From the log of the server:

{noformat}
09:14:07,311 ERROR [exec-3] c.e.orders.ExportController - export failed
java.lang.NullPointerException: "locale" is null
	at com.example.orders.ExportController.export(ExportController.java:58)
{noformat}

I think that it is this line:

{code:java|title=ExportController.java}
var format = NumberFormat.getInstance(Locale.of(user.locale().getLanguage()));
{code}

Workaround: set a language in the profile.
`,
  },
  {
    name: 'Only prose',
    text: `I would rename the branch first and rebase afterwards; if you do both at once, nobody can follow what happened. The rest looks good to me: let us ship it on Thursday, after the demo, and for the next while keep an eye on the error rate.
`,
  },
];

export const people = [
  { name: 'Keeps services up', languages: ['Golang', '.py'], personas: ['SRE'] },
  { name: 'Builds devices', languages: ['C', 'MATLAB / Octave'], personas: ['Hardware Engineer'] },
  { name: 'Is new to this', languages: [], personas: ['I am a student'] },
  { name: 'Writes for the web', languages: ['TypeScript', 'Svelte', 'Playwright'], personas: ['Front-end developer'] },
  { name: 'Made a typo', languages: ['Pyhton', 'Jaba', 'Klingon'], personas: ['data scietist'] },
];
