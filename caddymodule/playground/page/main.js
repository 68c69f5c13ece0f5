// The page's frame: its views, each with an address, and the response of a login, which
// is taken out of the address before anything else happens.

import { startAgent } from './agent.js';
import { byId } from './dom.js';
import { startLogin } from './login.js';
import { takeResponse } from './oauth.js';
import { startPersonification } from './personification.js';
import { startSegmentation } from './segmentation.js';

const response = takeResponse();
const ofAgent = response?.login?.agent;
const settings = JSON.parse(byId('settings').textContent);
const views = {
  home: {},
  login: startLogin(settings, ofAgent ? null : response),
  agent: startAgent(settings, ofAgent ? response : null),
  segmentation: startSegmentation(),
  personification: startPersonification(settings.names),
};
const asked = () => (Object.hasOwn(views, location.hash.slice(1)) ? location.hash.slice(1) : 'home');
let current;

/** show shows a view, at its top. A person who went there has the focus on its heading. */
function show(name, byPerson = true) {
  if (name === current) {
    return;
  }
  current = name;
  for (const other of Object.keys(views)) {
    byId(`view-${other}`).hidden = other !== name;
  }
  for (const link of document.querySelectorAll('nav a')) {
    link.toggleAttribute('aria-current', link.hash === `#${name}`);
  }
  const heading = byId(`${name}-title`);
  document.title = name === 'home' ? 'Caddy identity gateway' : `${heading.textContent} · Caddy identity gateway`;
  if (byPerson) {
    scrollTo(0, 0);
    heading.focus();
  }
  views[name].shown?.();
}

// A door begins at once what is behind it.
for (const door of document.querySelectorAll('.door')) {
  door.addEventListener('click', () => {
    show(door.hash.slice(1));
    views[current].begin?.();
  });
}

document.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    views[current].goOn?.();
  }
});

if (response) {
  history.replaceState(null, '', ofAgent ? '#agent' : '#login');
}
show(asked(), false);
if (response) {
  views[current].returned();
}
addEventListener('hashchange', () => location.hash !== '#main' && show(asked())); // a link, Back, or an address that was typed
