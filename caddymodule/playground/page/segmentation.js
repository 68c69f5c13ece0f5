// Segmentation: a message is sent while it is typed, and its segments are shown.

import { announce, button, byId, bytes, copyFrom, counted, el, later, notice } from './dom.js';
import { messages } from './examples.js';
import { asCurl, isServed, operations, reason, send } from './gateway.js';

const pause = 120; // milliseconds without a key before a message is sent
const patience = 400; // milliseconds until an answer that is not there yet is worth a word

export function startSegmentation() {
  const message = byId('message');
  const shown = byId('segments');
  let current = new AbortController();
  let last = null; // the answer that is shown
  let asJSON = false;

  const request = () => ({
    method: 'POST',
    path: operations.segmentation,
    query: { classify: true, confidence: true },
    json: { value: message.value },
  });

  // The newest message wins: asking again gives up what is still on its way.
  async function ask() {
    current.abort();
    const { signal } = (current = new AbortController());
    if (message.value === '') {
      return show(null);
    }
    shown.setAttribute('aria-busy', true);
    const waiting = setTimeout(() => {
      byId('segmentation-figures').textContent = 'Waiting for the gateway …';
    }, patience);
    try {
      const answer = await send(request(), signal);
      signal.throwIfAborted();
      show(answer);
    } catch (error) {
      if (!signal.aborted) {
        show(null);
        shown.replaceChildren(notice('bad', 'No answer', `The gateway can't be reached: ${error.message}`));
        speak([]);
      }
    } finally {
      clearTimeout(waiting);
    }
  }

  function show(answer) {
    last = answer;
    shown.removeAttribute('aria-busy');
    const pieces = answer?.json?.iterable ?? [];
    byId('message-size').textContent = message.value ? bytes(new TextEncoder().encode(message.value).length) : '';
    byId('segments-count').textContent = pieces.length ? counted(pieces.length, 'segment') : '';
    byId('segmentation-figures').textContent = answer
      ? `${bytes(answer.sent)} sent · ${bytes(answer.received)} received · ${answer.took.toFixed(answer.took < 10 ? 1 : 0)} ms there and back`
      : '';
    if (!answer) {
      shown.replaceChildren(el('p', { class: 'empty' }, 'The segments of the message appear here.'));
    } else if (!answer.json?.iterable) {
      shown.replaceChildren(refusal(answer));
    } else if (asJSON) {
      shown.replaceChildren(el('pre', { class: 'json' }, JSON.stringify(answer.json, null, 2)));
    } else {
      shown.replaceChildren(...pieces.map(segment));
    }
    speak(pieces);
  }

  // Screen readers hear the outcome once somebody has stopped typing.
  let spoken = '';
  const speakLater = later(1000, () => announce(spoken));
  function speak(pieces) {
    spoken = pieces.length ? `${counted(pieces.length, 'segment')}: ${pieces.map(inWords).join(', ')}` : shown.querySelector('.notice')?.innerText ?? '';
    speakLater();
  }

  const askLater = later(pause, ask);
  message.addEventListener('input', askLater);
  function begin(text) {
    message.value = text;
    message.scrollTop = 0;
    shown.scrollTop = 0;
    ask();
  }
  byId('examples').append(...messages.map(({ name, text }) => button(name, () => begin(text), { class: 'example' })));
  byId('segmentation-curl').addEventListener('click', (event) => copyFrom(event.currentTarget, asCurl(request())));
  byId('segmentation-json').addEventListener('click', (event) => {
    asJSON = !asJSON;
    event.currentTarget.setAttribute('aria-pressed', asJSON);
    show(last);
  });
  byId('segmentation-json').setAttribute('aria-pressed', false);
  show(null);
  begin(message.value || messages[0].text);
  return { goOn: ask };
}

/** segment shows one piece of a message. */
function segment(piece) {
  const content = piece.fragment.string.raw;
  if (piece.generic === 'TEXT') {
    return el('p', { class: 'text' }, content.trim());
  }
  const { name, confidence } = piece.language;
  return el('figure', { class: 'code', vars: { '--hue': hue(name) } },
    el('figcaption', {},
      el('span', { class: 'language' }, name),
      el('span', { class: 'confidence', title: `How certain that is. ClassificationSpecific: ${piece.specific}` },
        el('span', { class: 'bar', 'aria-hidden': 'true', vars: { '--part': confidence } }),
        percent(confidence),
      ),
    ),
    el('pre', {}, el('code', {}, content.replace(/\n$/, ''))),
  );
}

const percent = (part) => `${Math.round(part * 100)} %`;

const inWords = (piece) => (piece.generic === 'TEXT' ? 'text' : `${piece.language.name}, ${percent(piece.language.confidence)}`);

/** hue is a color of its own for each language, in degrees. */
function hue(name) {
  let hash = 7;
  for (const c of name) {
    hash = (hash * 31 + c.codePointAt(0)) % 1009;
  }
  return String((hash * 137.5) % 360);
}

function refusal(answer) {
  if (!isServed(answer)) {
    return notice('bad', 'Nothing answers here', 'This site has no text_segmentation. Add that line to its block in the Caddyfile.');
  }
  const { code, text } = reason(answer);
  return notice('bad', `${answer.status} ${code}`, text);
}
