//! openidconnect (https://crates.io/crates/openidconnect), for an app without a secret, as its documentation sets it up.
use std::error::Error;

use openidconnect::core::{CoreAuthenticationFlow, CoreClient, CoreProviderMetadata, CoreUserInfoClaims};
use openidconnect::reqwest::blocking::Client;
use openidconnect::{
    AuthorizationCode, ClientId, CsrfToken, IssuerUrl, Nonce, OAuth2TokenResponse, PkceCodeChallenge, RedirectUrl, Scope, TokenResponse,
};
use serde_json::{json, Value};

fn main() -> Result<(), Box<dyn Error>> {
    let session: Value = serde_json::from_reader(std::io::stdin())?;
    let value = |name: &str| session[name].as_str().unwrap_or_default().to_string();
    let http = Client::builder().redirect(openidconnect::reqwest::redirect::Policy::none()).build()?;
    let (issuer, client_id, redirect_uri) = (value("gateway"), value("client_id"), value("redirect_uri"));

    let metadata = CoreProviderMetadata::discover(&IssuerUrl::new(issuer)?, &http)?;
    let client = CoreClient::from_provider_metadata(metadata, ClientId::new(client_id), None).set_redirect_uri(RedirectUrl::new(redirect_uri)?);
    let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
    let (url, state, nonce) = client
        .authorize_url(CoreAuthenticationFlow::AuthorizationCode, CsrfToken::new_random, Nonce::new_random)
        .add_scope(Scope::new("email".to_string()))
        .add_scope(Scope::new("offline_access".to_string()))
        .set_pkce_challenge(challenge)
        .url();

    // A person opens the URL in a browser.
    let arrived: Value = serde_json::from_str(&http.post(value("browser")).body(json!({ "url": url.as_str() }).to_string()).send()?.text()?)?;
    let arrived = url.join(arrived["url"].as_str().unwrap_or_default())?;
    let response = |name: &str| arrived.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned()).unwrap_or_default();
    if response("state") != *state.secret() {
        return Err("the state is another".into());
    }

    let tokens = client.exchange_code(AuthorizationCode::new(response("code")))?.set_pkce_verifier(verifier).request(&http)?;
    let claims = tokens.id_token().ok_or("no ID token")?.claims(&client.id_token_verifier(), &nonce)?;
    println!("{}", json!({"step": "login", "ok": claims.email().is_some()}));

    let user: CoreUserInfoClaims = client.user_info(tokens.access_token().clone(), Some(claims.subject().clone()))?.request(&http)?;
    println!("{}", json!({"step": "userinfo", "ok": user.email().is_some()}));

    let fresh = client.exchange_refresh_token(tokens.refresh_token().ok_or("no refresh token")?)?.request(&http)?;
    println!("{}", json!({"step": "refresh", "ok": fresh.access_token().secret() != tokens.access_token().secret()}));
    Ok(())
}
