// Command client is a client for the matrix, with the official Go SDK.
//
// usage: client URL STATE_URL json|stream|resumed
//
// It goes through the scenarios of tests/matrix/README.md and prints a line for each: its name, a tab, and
// what came of it as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type object = map[string]any

var (
	url, stateURL, mode = os.Args[1], os.Args[2], os.Args[3]
	changes             atomic.Int32
	mutex               sync.Mutex
	seen                [][2]float64
	session             *mcp.ClientSession
)

func call(ctx context.Context, name string, arguments object) (*mcp.CallToolResult, error) {
	return session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: arguments})
}

// words calls a tool and returns the texts of its result.
func words(ctx context.Context, name string, arguments object) any {
	result, err := call(ctx, name, arguments)
	if err != nil {
		return "failed: " + err.Error()
	}
	return texts(result)
}

func texts(result *mcp.CallToolResult) []string {
	all := []string{}
	for _, content := range result.Content {
		all = append(all, content.(*mcp.TextContent).Text)
	}
	return all
}

func list(ctx context.Context) any {
	names, pages := []string{}, 0
	for cursor := ""; ; pages++ {
		page, err := session.ListTools(ctx, &mcp.ListToolsParams{Cursor: cursor})
		if err != nil {
			return "failed: " + err.Error()
		}
		for _, tool := range page.Tools {
			names = append(names, tool.Name)
		}
		if cursor = page.NextCursor; cursor == "" {
			return object{"names": names, "pages": pages + 1}
		}
	}
}

// judged calls a tool whose arguments or result are wrong.
func judged(ctx context.Context, name string, arguments object) any {
	result, err := call(ctx, name, arguments)
	if err != nil || result.IsError {
		return "refused"
	}
	return "passed"
}

func progress(ctx context.Context) any {
	params := &mcp.CallToolParams{Name: "slow", Arguments: object{}}
	params.SetProgressToken("token")
	result, err := session.CallTool(ctx, params)
	if err != nil {
		return "failed: " + err.Error()
	}
	time.Sleep(50 * time.Millisecond)
	mutex.Lock()
	defer mutex.Unlock()
	return object{"seen": seen, "text": texts(result)}
}

func cancellation(ctx context.Context) any {
	limited, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
	defer cancel()
	outcome := "answered"
	if _, err := call(limited, "wait", object{}); err != nil {
		outcome = "cancelled"
	}
	time.Sleep(200 * time.Millisecond)
	response, err := http.Get(stateURL)
	if err != nil {
		return "failed: " + err.Error()
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(response.Body)
	var state struct{ Cancelled bool }
	json.Unmarshal(body, &state)
	return object{"outcome": outcome, "server": state.Cancelled}
}

func changed(ctx context.Context) any {
	call(ctx, "grow", object{})
	time.Sleep(300 * time.Millisecond)
	return object{"changes": changes.Load() > 0, "list": list(ctx),
		"sum": words(ctx, "zgrown", object{"a": 2, "b": 3})}
}

func main() {
	ctx := context.Background()
	client := mcp.NewClient(&mcp.Implementation{Name: "matrix", Version: "1.0.0"}, &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: object{"colour": "blue"}}, nil
		},
		CreateMessageHandler: func(context.Context, *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			return &mcp.CreateMessageResult{Model: "none", Role: "assistant", Content: &mcp.TextContent{Text: "yes"}}, nil
		},
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changes.Add(1) },
		ProgressNotificationHandler: func(_ context.Context, request *mcp.ProgressNotificationClientRequest) {
			mutex.Lock()
			defer mutex.Unlock()
			seen = append(seen, [2]float64{request.Params.Progress, request.Params.Total})
		},
	})
	version := "2025-11-25"
	if mode == "json" {
		version = "2026-07-28"
	}
	var err error
	session, err = client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: url},
		&mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		fmt.Println("connect\tfailed:", err)
		os.Exit(1)
	}
	absent := map[string]string{"task": "the SDK has no tasks"}
	if mode == "json" {
		absent["progress"] = "a JSON response carries no notification"
		absent["ping"] = "2026-07-28 has no ping"
	}
	scenarios := []struct {
		name string
		run  func(context.Context) any
	}{
		{"list", list},
		{"call", func(ctx context.Context) any {
			result, err := call(ctx, "add", object{"a": 1, "b": 2})
			if err != nil {
				return "failed: " + err.Error()
			}
			return result.StructuredContent
		}},
		{"refused", func(ctx context.Context) any { return judged(ctx, "add", object{"a": "one", "b": 2}) }},
		{"result", func(ctx context.Context) any { return judged(ctx, "wrong", object{}) }},
		{"elicitation", func(ctx context.Context) any { return words(ctx, "ask", object{}) }},
		{"sampling", func(ctx context.Context) any { return words(ctx, "sample", object{}) }},
		{"progress", progress},
		{"cancellation", cancellation},
		{"changed", changed},
		{"ping", func(ctx context.Context) any {
			if err := session.Ping(ctx, nil); err != nil {
				return "failed: " + err.Error()
			}
			return []string{}
		}},
		{"task", nil},
	}
	for _, scenario := range scenarios {
		if why, ok := absent[scenario.name]; ok {
			fmt.Printf("%s\tabsent: %s\n", scenario.name, why)
			continue
		}
		limited, cancel := context.WithTimeout(ctx, 5*time.Second)
		outcome, _ := json.Marshal(scenario.run(limited))
		cancel()
		fmt.Printf("%s\t%s\n", scenario.name, outcome)
	}
	if err := session.Close(); err != nil {
		fmt.Printf("end\t%q\n", "failed: "+err.Error())
		return
	}
	fmt.Println("end\t\"ended\"")
}
