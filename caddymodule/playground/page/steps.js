// How the steps of a login are shown.

import { announce, el, notice, shortened } from './dom.js';
import { isServed, reason } from './gateway.js';

/**
 * showSteps shows steps, {title, content}, of which one is at hand. Somebody who is told
 * that something happened goes on from the button of that step.
 */
export function showSteps(list, steps, at, said) {
  list.replaceChildren(...steps.map(({ title, content }, i) => {
    const state = i < at ? 'done' : i === at ? 'current' : 'todo';
    return el('li', { class: 'step', 'data-state': state, 'aria-current': state === 'current' && 'step' },
      el('h2', {}, title), i <= at && content);
  }));
  if (said) {
    announce(said);
    focusStep(list);
  }
}

const buttonAtHand = (list) => list.querySelector('[data-state=current] .primary');

export const focusStep = (list) => buttonAtHand(list)?.focus();

export const goOn = (list) => buttonAtHand(list)?.click();

/** table shows parameters, with notes on some of them. Secrets are shortened. */
export function table(params, notes = {}) {
  return el('dl', { class: 'params' }, Object.entries(params).map(([name, value]) => el('div', {},
    el('dt', {}, name),
    el('dd', {}, el('span', { class: 'value' }, secret.has(name) && value.length > 24 ? shortened(value) : String(value)),
      notes[name] && el('small', {}, notes[name])),
  )));
}

const secret = new Set(['code', 'code_verifier', 'code_challenge', 'state', 'nonce', 'client_id', 'access_token']);

export function refusal(answer) {
  if (!isServed(answer)) {
    return notice('bad', 'Nothing answers here', 'This site has no login.');
  }
  const { code, text } = reason(answer);
  return notice('bad', `${answer.status || ''} ${code}`.trim(), text);
}
