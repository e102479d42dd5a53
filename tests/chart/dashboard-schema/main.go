// Reads dashboards with Grafana's own generated types, which refuse unknown fields, missing ones and wrong types, also
// within the panels' options and the Prometheus queries, and checks the values' bounds.
//
//	dashboard-schema FILE...
package main

import (
	"fmt"
	"os"

	"github.com/grafana/grafana-foundation-sdk/go/cog/plugins"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
)

func check(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var board dashboard.Dashboard
	// Where nothing is wrong it returns an empty list of errors, which is not nil.
	if err := board.UnmarshalJSONStrict(text); err != nil && err.Error() != "" {
		return err
	}
	return board.Validate()
}

func main() {
	plugins.RegisterDefaultPlugins()
	failed := false
	for _, file := range os.Args[1:] {
		if err := check(file); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", file, err)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}
