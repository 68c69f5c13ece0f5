// The page's frame: tabs, keys, and the response of a login, which is taken out of
// the address before anything else happens.

import { byId } from './dom.js';
import { takeResponse, startLogin } from './login.js';
import { startPersonification } from './personification.js';
import { startSegmentation } from './segmentation.js';

const response = takeResponse();
const settings = JSON.parse(byId('settings').textContent);
const tabs = [...document.querySelectorAll('[role=tab]')];
const nameOf = (tab) => tab.id.replace('tab-', ''); // in the address; no id, or the browser would scroll there
const panels = {
  segmentation: startSegmentation(),
  personification: startPersonification(settings.names),
  login: startLogin(settings, response),
};

/** choose shows a tab. What a person chose is in the history, for Back. */
function choose(tab, { focus = false, byPerson = true } = {}) {
  for (const other of tabs) {
    const chosen = other === tab;
    other.setAttribute('aria-selected', chosen);
    other.tabIndex = chosen ? 0 : -1;
    byId(`panel-${nameOf(other)}`).hidden = !chosen;
  }
  const address = `#${nameOf(tab)}`;
  if (!byPerson) {
    history.replaceState(null, '', address);
  } else if (location.hash !== address) {
    history.pushState(null, '', address);
  }
  document.title = `${tab.textContent.trim()} · Playground`;
  if (focus) {
    tab.focus();
  }
  panels[nameOf(tab)].shown?.();
}

for (const [i, tab] of tabs.entries()) {
  tab.addEventListener('click', () => choose(tab));
  tab.addEventListener('keydown', (event) => {
    const to = { ArrowLeft: i - 1, ArrowRight: i + 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      choose(tabs[(to + tabs.length) % tabs.length], { focus: true });
    }
  });
}

document.addEventListener('keydown', (event) => {
  const digit = /^Digit([1-3])$/.exec(event.code);
  if (digit && event.altKey && event.shiftKey) {
    event.preventDefault();
    choose(tabs[digit[1] - 1], { focus: true });
  } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    panels[nameOf(tabs.find((tab) => tab.getAttribute('aria-selected') === 'true'))].goOn();
  }
});

byId('host').textContent = location.host;
const asked = () => tabs.find((tab) => `#${nameOf(tab)}` === location.hash);
choose(response ? byId('tab-login') : asked() ?? tabs[0], { byPerson: false });
addEventListener('hashchange', () => asked() && choose(asked(), { byPerson: false })); // Back, or an address that was typed
