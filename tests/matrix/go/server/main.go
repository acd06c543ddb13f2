// Command server is a server for the matrix, with the official Go SDK.
//
// usage: server PORT json|stream|resumed
//
// json serves the specification of 2026-07-28 in application/json, stream sessions of 2025-11-25 in event
// streams, and resumed closes the stream of each call after its first event, so that the client has to fetch
// the result with Last-Event-ID.  The tools are those of tests/matrix/README.md.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var (
	mode      = os.Args[2]
	cancelled atomic.Bool
	numbers   = json.RawMessage(`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a","b"]}`)
	sum       = json.RawMessage(`{"type":"object","properties":{"sum":{"type":"integer"}},"required":["sum"]}`)
	none      = json.RawMessage(`{"type":"object"}`)
	colour    = json.RawMessage(`{"type":"object","properties":{"colour":{"type":"string","enum":["red","blue"]}},"required":["colour"]}`)
)

type handler = func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error)

func text(value string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: value}}}
}

// terms reads the arguments a and b; false if a is no integer.
func terms(request *mcp.CallToolRequest) (a, b int, ok bool) {
	var arguments struct{ A, B int }
	ok = json.Unmarshal(request.Params.Arguments, &arguments) == nil
	return arguments.A, arguments.B, ok
}

func add(_ context.Context, request *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	a, b, ok := terms(request)
	if !ok {
		result := text("a is not an integer")
		result.IsError = true
		return result, nil
	}
	result := text(fmt.Sprintf(`{"sum":%d}`, a+b))
	result.StructuredContent = map[string]int{"sum": a + b}
	return result, nil
}

func wrong(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	result := text(`{"sum":"three"}`)
	result.StructuredContent = map[string]string{"sum": "three"}
	return result, nil
}

func ask(ctx context.Context, request *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	params := &mcp.ElicitParams{Message: "Which colour?", RequestedSchema: colour}
	var answer *mcp.ElicitResult
	if mode == "json" {
		response, ok := request.Params.InputResponses["colour"]
		if !ok {
			return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"colour": params}}, nil
		}
		answer = response.(*mcp.ElicitResult)
	} else {
		var err error
		if answer, err = request.Session.Elicit(ctx, params); err != nil {
			return nil, err
		}
	}
	return text(fmt.Sprintf("%s %s", answer.Action, answer.Content["colour"])), nil
}

func sample(ctx context.Context, request *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	messages := []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: "Say yes"}}}
	if mode == "json" {
		response, ok := request.Params.InputResponses["yes"]
		if !ok {
			params := &mcp.CreateMessageParams{Messages: messages, MaxTokens: 5}
			return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"yes": params}}, nil
		}
		return text(said(response)), nil
	}
	answer, err := request.Session.CreateMessage(ctx, &mcp.CreateMessageParams{Messages: messages, MaxTokens: 5})
	if err != nil {
		return nil, err
	}
	return text(answer.Content.(*mcp.TextContent).Text), nil
}

// said is the text of a sampled message, in whichever of its two types it comes.
func said(response mcp.InputResponse) string {
	switch answer := response.(type) {
	case *mcp.CreateMessageResult:
		return answer.Content.(*mcp.TextContent).Text
	case *mcp.CreateMessageWithToolsResult:
		return answer.Content[0].(*mcp.TextContent).Text
	}
	return fmt.Sprintf("%T", response)
}

func slow(ctx context.Context, request *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	for i := 1; i <= 3; i++ {
		request.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: request.Params.GetProgressToken(), Progress: float64(i), Total: 3})
	}
	return text("done"), nil
}

func wait(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	<-ctx.Done()
	cancelled.Store(true)
	return nil, ctx.Err()
}

func grow(server *mcp.Server) handler {
	return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		server.AddTool(&mcp.Tool{Name: "zgrown", InputSchema: numbers}, func(_ context.Context, request *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			a, b, _ := terms(request)
			return text(strconv.Itoa(a + b)), nil
		})
		return text("grown"), nil
	}
}

// interrupted closes the stream of the call before it is answered.
func interrupted(inner handler) handler {
	return func(ctx context.Context, request *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if mode == "resumed" && request.Extra != nil && request.Extra.CloseSSEStream != nil {
			request.Extra.CloseSSEStream(mcp.CloseSSEStreamArgs{RetryAfter: 20 * time.Millisecond})
			time.Sleep(30 * time.Millisecond)
		}
		return inner(ctx, request)
	}
}

func main() {
	server := mcp.NewServer(&mcp.Implementation{Name: "matrix", Version: "1.0.0"}, &mcp.ServerOptions{PageSize: 4})
	tool := func(name string, input, output any, run handler) {
		tool := &mcp.Tool{Name: name, InputSchema: input}
		if output != nil {
			tool.OutputSchema = output
		}
		server.AddTool(tool, interrupted(run))
	}
	tool("add", numbers, sum, add)
	tool("wrong", none, sum, wrong)
	tool("ask", none, nil, ask)
	tool("sample", none, nil, sample)
	tool("slow", none, nil, slow)
	tool("wait", none, nil, wait)
	tool("grow", none, nil, grow(server))

	options := &mcp.StreamableHTTPOptions{JSONResponse: mode == "json"}
	if mode == "resumed" {
		options.EventStore = mcp.NewMemoryEventStore(nil)
	}
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, options)
	mux := http.NewServeMux()
	mux.Handle("/mcp", handler)
	mux.HandleFunc("/state", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"cancelled":%t}`, cancelled.Load())
	})
	listener, err := net.Listen("tcp", "127.0.0.1:"+os.Args[1])
	if err != nil {
		panic(err)
	}
	fmt.Println("ready")
	panic(http.Serve(listener, mux))
}
