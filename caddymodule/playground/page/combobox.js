// A field for several names, with suggestions: the pattern "editable combobox with
// list autocomplete" of the ARIA Authoring Practices, and a chip for each name.

import { announce, button, counted, el } from './dom.js';

const mostSuggestions = 8;

/**
 * combobox fills a field with a label, and calls changed when its names change.
 * suggestions are {name, also, kind}.
 */
export function combobox(field, { id, label, hint, suggestions, changed }) {
  let names = [];
  let offered = [];
  let active = -1;

  const chips = el('ul', { class: 'chips', 'aria-label': `Chosen ${label.toLowerCase()}` });
  const listbox = el('ul', { role: 'listbox', id: `${id}-list`, 'aria-label': label, hidden: true });
  const input = el('input', {
    type: 'text', id, role: 'combobox', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', maxlength: '256',
    'aria-expanded': 'false', 'aria-controls': `${id}-list`, 'aria-autocomplete': 'list', 'aria-describedby': `${id}-hint`,
  });
  const box = el('div', { class: 'combobox' }, chips, input);
  field.append(
    el('label', { for: id }, label),
    el('div', { class: 'anchor' }, box, listbox),
    el('p', { class: 'hint', id: `${id}-hint` }, hint),
  );

  function set(list) {
    names = [...new Set(list)];
    chips.replaceChildren(...names.map((name, i) => el('li', {}, el('span', {}, name),
      button('×', () => remove(i), { 'aria-label': `Remove ${name}` }))));
    chips.hidden = names.length === 0;
  }

  function add(name) {
    input.value = '';
    close();
    if (name.trim()) {
      set([...names, name.trim()]);
      changed();
    }
  }

  function remove(i) {
    set(names.toSpliced(i, 1));
    changed();
    input.focus();
  }

  function suggest() {
    offered = matches(suggestions, input.value).filter(({ name }) => !names.includes(name)).slice(0, mostSuggestions);
    active = -1;
    listbox.replaceChildren(...offered.map(({ name, kind, by }, i) => el('li', {
      role: 'option', id: `${id}-${i}`, 'aria-selected': 'false',
      onpointerdown: (event) => { event.preventDefault(); add(name); },
    }, el('span', {}, name), (by || kind) && el('small', {}, by ? `${by}` : kind))));
    const open = offered.length > 0;
    listbox.hidden = !open;
    input.setAttribute('aria-expanded', open);
    input.removeAttribute('aria-activedescendant');
    announce(counted(offered.length, 'suggestion'));
  }

  function close() {
    offered = [];
    active = -1;
    listbox.hidden = true;
    listbox.replaceChildren();
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  }

  function move(by) {
    if (listbox.hidden) {
      suggest();
    }
    if (!offered.length) {
      return;
    }
    active = (active + by + (active < 0 && by < 0 ? 1 : 0) + offered.length) % offered.length;
    for (const [i, option] of [...listbox.children].entries()) {
      option.setAttribute('aria-selected', i === active);
    }
    listbox.children[active].scrollIntoView({ block: 'nearest' });
    input.setAttribute('aria-activedescendant', `${id}-${active}`);
  }

  input.addEventListener('input', () => {
    const [before, after] = input.value.split(/[,;](.*)/s);
    if (after !== undefined) {
      add(before);
      input.value = after.trimStart();
    }
    if (input.value) {
      suggest();
    } else {
      close();
    }
  });
  input.addEventListener('click', () => listbox.hidden && suggest());
  input.addEventListener('blur', () => add(input.value));
  input.addEventListener('keydown', (event) => {
    const keys = {
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      Enter: () => !event.ctrlKey && !event.metaKey && add(active >= 0 ? offered[active].name : input.value),
      Escape: () => { if (listbox.hidden) { input.value = ''; } close(); },
    };
    if (event.key === 'Backspace' && input.value === '' && names.length) {
      remove(names.length - 1);
    } else if (keys[event.key]) {
      event.preventDefault();
      keys[event.key]();
    }
  });
  box.addEventListener('click', (event) => event.target === box && input.focus());
  set([]);
  return { names: () => names, set };
}

/** matches are the suggestions for what was written, best first; by is the other name that matched. */
function matches(suggestions, written) {
  const wanted = plain(written);
  if (!wanted) {
    return suggestions;
  }
  const ranked = [];
  for (const [order, suggestion] of suggestions.entries()) {
    let best = null;
    for (const [i, name] of [suggestion.name, ...(suggestion.also ?? [])].entries()) {
      const at = plain(name).indexOf(wanted);
      const rank = at < 0 ? Infinity : (plain(name) === wanted ? 0 : at === 0 ? 1 : 2);
      if (rank < (best?.rank ?? Infinity)) {
        best = { ...suggestion, rank, order, by: i > 0 ? name : '' };
      }
    }
    if (best) {
      ranked.push(best);
    }
  }
  return ranked.sort((a, b) => a.rank - b.rank || a.order - b.order);
}

const plain = (name) => name.toLowerCase().replace(/[\s-]+/g, ' ').trim();
