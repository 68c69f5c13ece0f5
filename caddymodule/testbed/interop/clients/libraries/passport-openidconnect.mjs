// passport-openidconnect, which knows neither metadata nor PKCE.
import express from 'express';
import sessions from 'express-session';
import passport from 'passport';
import OpenIDConnectStrategy from 'passport-openidconnect';
import { app, clientId as clientID, clientSecret, expect, issuer, open, serve, step } from './app.mjs';

const callbackURL = `${app}/callback`;
passport.use(new OpenIDConnectStrategy({
  issuer, authorizationURL: `${issuer}/authorize`, tokenURL: `${issuer}/oauth/token`, userInfoURL: `${issuer}/userinfo`,
  clientID, clientSecret, callbackURL, scope: 'email', nonce: true, skipUserProfile: false,
}, (iss, profile, done) => done(null, profile)));
passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user, done) => done(null, user));

const site = express();
site.use(sessions({ secret: 'of-this-test-alone', resave: false, saveUninitialized: false }), passport.session());
site.get('/login', passport.authenticate('openidconnect'));
site.get('/callback', passport.authenticate('openidconnect', { successRedirect: '/' }));
site.get('/', (request, response) => response.json(request.user ?? null));
const stop = await serve(site);

let user;
await step('login', async () => {
  user = await open('/login');
  expect(user?.id, 'nobody is logged in');
});
await step('userinfo', async () => expect(user.emails[0].value, 'no address'));
stop();
