// Package monitoring is a dashboard and alerts for what the gateway counts and logs. Its tests
// have a gateway count and log it.
package monitoring
