// Package document is completed by what oapi-codegen makes of the OpenAPI document. It compiles only while each
// response has one type.
package document

import (
	"context"
	"errors"
)

func kinds(ctx context.Context, c *ClientWithResponses) (kinds []SegmentedTechnicalLanguageFragmentGeneric, _ error) {
	response, err := c.SegmentTechnicalLanguageWithResponse(ctx, nil, UnsegmentedTechnicalLanguage{Value: "Try this:\n\nprint(1)\n"})
	switch {
	case err != nil:
		return nil, err
	case response.ApplicationproblemJSON400 != nil:
		return nil, errors.New(response.ApplicationproblemJSON400.Detail)
	}
	for _, segment := range response.JSON200.Iterable {
		kinds = append(kinds, segment.Generic)
	}
	return kinds, nil
}
