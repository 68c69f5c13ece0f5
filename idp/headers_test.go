package idp

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFieldsThatServersTakeForOne(t *testing.T) {
	for name, want := range map[string]string{
		"X-User": "x-user", "x_user": "x-user", "X!User": "x-user", "X-Müller": "x-m-ller",
		"AMZ-amz-059": "amz-amz-059", "@[`{/:": "------",
	} {
		require.Equal(t, want, FoldField(name))
	}
}
