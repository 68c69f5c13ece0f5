// Building blocks of the page. Everything that comes from a person, the gateway
// or an identity provider gets into the document as text, never as markup: there
// is no innerHTML on this page, and its policy (Trusted Types) allows none.

export const byId = (id) => document.getElementById(id);

/**
 * element makes an element: el('p', {class: 'hint', title: 'x'}, 'text', child).
 * A property that begins with "on" is a listener, one that is false, null or
 * undefined is left out. Children that are null, undefined or false are, too.
 */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith('on')) {
      element.addEventListener(name.slice(2), value);
    } else if (name === 'vars') {
      for (const [variable, of] of Object.entries(value)) {
        element.style.setProperty(variable, of);
      }
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value === true ? '' : value);
    }
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** button makes a button with an action. */
export const button = (label, action, properties = {}) => el('button', { type: 'button', onclick: action, ...properties }, label);

/** outside makes a link to another site, which learns nothing of this page. */
export const outside = (url, ...label) =>
  /^https?:\/\//.test(url) ? el('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }, ...label) : el('span', {}, ...label);

/** announce has screen readers say something. */
export const announce = (text) => { byId('announcement').textContent = text; };

/** notice is a box that says what happened. */
export const notice = (kind, title, ...text) =>
  el('div', { class: `notice ${kind}` }, title && el('strong', {}, title), el('p', {}, ...text));

/** copyButton copies what text returns, and says that it did. */
export function copyButton(label, text, properties = {}) {
  const copy = button(label, () => copyFrom(copy, text()), { class: 'quiet', ...properties });
  return copy;
}

/** copyFrom copies text for a button, whose label confirms it for a moment. */
export async function copyFrom(pressed, text) {
  const label = pressed.dataset.label ?? (pressed.dataset.label = pressed.textContent);
  try {
    await navigator.clipboard.writeText(text);
    pressed.textContent = 'Copied';
  } catch { // no permission, or a page without TLS on another machine
    pressed.textContent = 'Not allowed here';
  }
  announce(pressed.textContent);
  setTimeout(() => { pressed.textContent = label; }, 1500);
}

/** shortened shows the ends of a secret, and how long it is. */
export function shortened(secret) {
  return secret.length <= 20 ? `${secret.slice(0, 4)}…` : `${secret.slice(0, 6)}…${secret.slice(-4)} (${secret.length} characters)`;
}

/** bytes is a size as people read it. */
export function bytes(count) {
  return count < 1000 ? `${count} B` : `${(count / 1000).toFixed(count < 9950 ? 1 : 0)} KB`;
}

/** prose is text in which `names` are code. */
export const prose = (text) => text.split('`').map((part, i) => (i % 2 ? el('code', {}, part) : part));

/** counted is "1 segment", "2 segments". */
export const counted = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** later returns a function that runs action once calls have paused for some milliseconds. */
export function later(milliseconds, action) {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(action, milliseconds);
  };
}
