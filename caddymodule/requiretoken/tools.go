package requiretoken

import (
	"cmp"
	"net/http"

	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/accesstoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/mcp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// checkCalls holds the calls of a request to the rules by tool, and returns all that it
// needs. checked is what became of its token: a token that has too few scopes
// anyway is told of all that are missing at once.
func (h *RequireToken) checkCalls(r *http.Request, token *accesstoken.Token, checked error) (*mcp.Need, error) {
	if checked != nil && oauth.AsError(checked).Code != oauth.InsufficientScope {
		return nil, checked
	}
	calls, err := mcp.Read(r)
	if err != nil {
		return nil, err
	}
	need := h.tools.Need(h.Scopes, calls)
	if checked == nil {
		checked = holds(need)(token)
	}
	h.logCalls(token, calls, checked)
	return need, checked
}

// holds is what a request needs, for its token. It is nil without rules.
func holds(need *mcp.Need) func(*accesstoken.Token) error {
	if need == nil {
		return nil
	}
	return func(t *accesstoken.Token) error { return need.Check(t.Scopes, t.Claims()) }
}

// maxLogged is how much of a tool's name is logged, in bytes: anybody with a token sends one.
const maxLogged = 256

// logCalls writes a line for each call of a tool: who, for whom, what, by which rules, and
// whether it went through. Those that did not are limited, as all refusals are, for each user.
func (h *RequireToken) logCalls(token *accesstoken.Token, calls []mcp.Call, err error) {
	if token == nil {
		token = new(accesstoken.Token)
	}
	outcome := idp.Passed
	if err != nil {
		outcome = string(oauth.AsError(err).Code)
	}
	for _, call := range calls {
		if call.Method != mcp.ToolCall {
			continue
		}
		if err == nil && !h.logger.Core().Enabled(zap.InfoLevel) {
			continue
		}
		line := []zap.Field{
			zap.String("client_id", token.ClientID), zap.String("user_id", token.Subject),
			zap.String("login_id", token.LoginID), zap.String("tool", call.Name[:min(len(call.Name), maxLogged)]),
			zap.Strings("rules", h.tools.Names(call)), zap.String("outcome", outcome),
		}
		if err == nil {
			h.logger.Info("tool call", line...)
		} else {
			h.refusals.Limited(zap.InfoLevel, "tool call", cmp.Or(token.Subject, token.ClientID), line...)
		}
	}
}
