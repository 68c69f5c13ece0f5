// npm @simulacrum/auth0-simulator on PORT. It checks no PKCE, takes a code as
// often as it is sent, and follows any returnTo.
'use strict';

const { simulation } = require('@simulacrum/auth0-simulator');

const { PORT, AUDIENCE } = process.env;

simulation({
  // Its schema knows no port above 9999; the one that counts is given to listen.
  options: { port: 4400, audience: AUDIENCE, scope: 'openid profile email offline_access' },
  initialState: { users: [{ id: 'auth0|ada', name: 'Ada Lovelace', email: 'ada@example.com', password: 'lovelace' }] },
}).listen(Number(PORT), 'localhost');
