// Renders the templates of a chart with Go's text/template, as Helm does. The few additional functions that they use are
// implemented here like those of Helm's library. A template that uses any other function fails.
//
//	render-chart data.json template...
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"text/template"
)

var functions = template.FuncMap{
	"add": func(numbers ...any) (int64, error) {
		var sum int64
		for _, number := range numbers {
			var term int64
			if _, err := fmt.Sscan(fmt.Sprint(number), &term); err != nil {
				return 0, err
			}
			sum += term
		}
		return sum, nil
	},
	"quote": func(value any) string { return fmt.Sprintf("%q", fmt.Sprint(value)) },
	"toJson": func(value any) (string, error) {
		text, err := json.Marshal(value)
		return string(text), err
	},
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	fail(err)
	var data map[string]any
	fail(json.Unmarshal(text, &data))
	for _, path := range os.Args[2:] {
		source, err := os.ReadFile(path)
		fail(err)
		parsed, err := template.New(path).Funcs(functions).Option("missingkey=error").Parse(string(source))
		fail(err)
		fmt.Println("---")
		fail(parsed.Execute(os.Stdout, data))
	}
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
