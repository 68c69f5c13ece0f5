// Personification: snippets for the languages and personas that somebody names.

import { combobox } from './combobox.js';
import { announce, button, byId, bytes, copyButton, copyFrom, counted, el, notice, outside, prose } from './dom.js';
import { people } from './examples.js';
import { asCurl, isServed, operations, reason, send } from './gateway.js';

export function startPersonification(suggested) {
  const languages = combobox(byId('languages-field'), {
    id: 'languages', label: 'Languages, frameworks and tools', hint: 'Enter or a comma adds a name; any words will do.',
    suggestions: suggested.languages, changed: ask,
  });
  const personas = combobox(byId('personas-field'), {
    id: 'personas', label: 'Personas', hint: 'What somebody does, in their own words.',
    suggestions: suggested.personas, changed: ask,
  });
  const fields = { languages, personas };
  let current = new AbortController();
  let asked = false;

  const request = () => ({
    method: 'POST',
    path: `${operations.personification}?explain=true`,
    json: { languages: languages.names(), personas: personas.names() },
  });

  async function ask() {
    asked = true;
    current.abort();
    const { signal } = (current = new AbortController());
    try {
      const answer = await send(request(), signal);
      signal.throwIfAborted();
      show(answer);
    } catch (error) {
      if (!signal.aborted) {
        refuse(notice('bad', 'No answer', `The gateway can't be reached: ${error.message}`));
      }
    }
  }

  function refuse(why) {
    byId('not-understood').replaceChildren();
    byId('personification-figures').textContent = '';
    byId('snippets').replaceChildren(why);
    announce(why.innerText);
  }

  function show(answer) {
    if (!answer.json?.seeds) {
      const { code, text } = reason(answer);
      refuse(!isServed(answer)
        ? notice('bad', 'Nothing answers here', 'This site has no personification. Add that line to its block in the Caddyfile.')
        : notice('bad', `${answer.status} ${code}`, text));
      return;
    }
    const assets = answer.json.seeds.iterable.map((seed) => seed.asset);
    const { notes = [] } = answer.json;
    const misunderstood = notes.filter((note) => notUnderstood.test(note));
    const others = notes.filter((note) => !notUnderstood.test(note));
    byId('not-understood').replaceChildren(
      ...misunderstood.map((note) => remark(note, fields, ask)),
      ...(others.length ? [el('p', { class: 'hint' }, others.join(' '))] : []),
    );
    byId('snippets').replaceChildren(...assets.map(snippet));
    const figures = `${counted(assets.length, 'snippet')} · ${bytes(answer.received)} received · ${answer.took.toFixed(answer.took < 10 ? 1 : 0)} ms there and back`;
    byId('personification-figures').textContent = figures;
    announce([counted(assets.length, 'snippet'), ...notes].join('. '));
  }

  byId('people').append(...people.map((person) => button(person.name, () => {
    languages.set(person.languages);
    personas.set(person.personas);
    ask();
  }, { class: 'example' })));
  byId('personification-curl').addEventListener('click', (event) => copyFrom(event.currentTarget, asCurl(request())));
  return { goOn: ask, shown: () => asked || ask() };
}

const annotations = (asset, type) => asset.metadata.annotations.filter((a) => a.type === type).map((a) => a.text);

const notUnderstood = /^Not understood: "(.*)"\.(?: Nearest: (.*)\.)?$/s;

/** remark shows what was not understood, with the nearest names to choose from. */
function remark(note, fields, ask) {
  const [, written, nearest] = notUnderstood.exec(note);
  const replace = (name) => {
    for (const field of Object.values(fields)) {
      field.set(field.names().map((old) => (old === written ? name : old)));
    }
    ask();
  };
  return el('div', { class: 'notice warn' },
    el('p', {}, 'Not understood: ', el('strong', {}, written), nearest ? '. Did you mean' : '.'),
    nearest && el('div', { class: 'buttons' }, nearest.split(', ').map((name) => button(name, () => replace(name), { class: 'quiet' }))),
  );
}

function snippet(asset) {
  const code = asset.format.fragment.string.raw;
  const { name, tags, websites = [] } = asset.metadata;
  const [, title, subject] = /^(.*) \(([^()]*(?:\([^()]*\))?[^()]*)\)$/s.exec(name) ?? [null, name, ''];
  const why = annotations(asset, 'EXPLANATION');
  const needs = annotations(asset, 'COMMENT');
  return el('article', { class: 'snippet' },
    el('h2', {}, title),
    why.map((text) => el('p', { class: 'why' }, prose(text))),
    annotations(asset, 'DESCRIPTION').map((text) => el('p', { class: 'description' }, prose(text))),
    el('figure', { class: 'listing' },
      el('figcaption', {}, subject, copyButton('Copy', () => code, { 'aria-label': `Copy ${name}` })),
      el('pre', { tabindex: '0', role: 'region', 'aria-label': `Code of ${name}` }, el('code', {}, code)),
    ),
    el('p', { class: 'about' },
      needs.map((text) => el('span', {}, text)),
      el('span', {}, tags.map((tag) => tag.text).filter((text) => text !== subject).join(', ')),
      websites.map((site) => outside(site.url, site.name)),
    ),
  );
}
