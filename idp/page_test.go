package idp

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPagesThatFail(t *testing.T) {
	page := newPage(http.StatusOK, "default-src 'none'")
	page.render("no such page", nil)
	require.Equal(t, http.StatusInternalServerError, page.Status)
	require.Empty(t, page.Body)
}
