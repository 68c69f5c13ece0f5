// passport-oauth2, which knows no metadata. The user is what the app asks of the user info endpoint.
import express from 'express';
import sessions from 'express-session';
import passport from 'passport';
import OAuth2Strategy from 'passport-oauth2';
import { app, clientId as clientID, clientSecret, expect, issuer, open, serve, step } from './app.mjs';

const callbackURL = `${app}/callback`;
class Strategy extends OAuth2Strategy {
  userProfile(accessToken, done) {
    fetch(`${issuer}/userinfo`, { headers: { Authorization: `Bearer ${accessToken}` } }).then((response) => response.json()).then((user) => done(null, user), done);
  }
}
passport.use(new Strategy({
  authorizationURL: `${issuer}/authorize`, tokenURL: `${issuer}/oauth/token`,
  clientID, clientSecret, callbackURL, scope: ['openid', 'email'], pkce: true, state: true,
}, (accessToken, refreshToken, profile, done) => done(null, profile)));
passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user, done) => done(null, user));

const site = express();
site.use(sessions({ secret: 'of-this-test-alone', resave: false, saveUninitialized: false }), passport.session());
site.get('/login', passport.authenticate('oauth2'));
site.get('/callback', passport.authenticate('oauth2', { successRedirect: '/' }));
site.get('/', (request, response) => response.json(request.user ?? null));
const stop = await serve(site);

let user;
await step('login', async () => {
  user = await open('/login');
  expect(user?.sub, 'nobody is logged in');
});
await step('userinfo', async () => expect(user.email, 'no address'));
stop();
