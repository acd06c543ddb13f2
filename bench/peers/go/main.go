// Two libraries in Go in the protocol of ../driver.h:
// peer santhosh-tekuri|google SCHEMAS INSTANCES MILLISECONDS
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	google "github.com/google/jsonschema-go/jsonschema"
	tekuri "github.com/santhosh-tekuri/jsonschema/v6"
)

// A program judges what `decode` makes of a text.
type program func(document any) bool

type library struct {
	compile func(text string) program
	decode  func(text []byte) (any, error)
}

type instance struct {
	schema   int
	text     []byte
	document any
}

func compileTekuri(text string) program {
	schema, err := tekuri.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return nil
	}
	compiler := tekuri.NewCompiler()
	compiler.DefaultDraft(tekuri.Draft2020)
	if compiler.AddResource("file:///schema.json", schema) != nil {
		return nil
	}
	compiled, err := compiler.Compile("file:///schema.json")
	if err != nil {
		return nil
	}
	return func(document any) bool { return compiled.Validate(document) == nil }
}

func decodeTekuri(text []byte) (any, error) {
	return tekuri.UnmarshalJSON(bytes.NewReader(text))
}

func compileGoogle(text string) program {
	var schema google.Schema
	if json.Unmarshal([]byte(text), &schema) != nil {
		return nil
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		return nil
	}
	return func(document any) bool { return resolved.Validate(document) == nil }
}

func decodeGoogle(text []byte) (any, error) {
	var document any
	err := json.Unmarshal(text, &document)
	return document, err
}

var libraries = map[string]library{
	"santhosh-tekuri": {compileTekuri, decodeTekuri},
	"google":          {compileGoogle, decodeGoogle},
}

// A library may panic over a schema that it does not expect.
func (l library) tryCompile(text string) (p program) {
	defer func() {
		if recover() != nil {
			p = nil
		}
	}()
	return l.compile(text)
}

func lines(path string) []string {
	data, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	if len(data) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

func load(path string, l library) []instance {
	var instances []instance
	for _, line := range lines(path) {
		number, text, _ := strings.Cut(line, "\t")
		schema, _ := strconv.Atoi(number)
		document, err := l.decode([]byte(text))
		if err != nil {
			panic(err)
		}
		instances = append(instances, instance{schema, []byte(text), document})
	}
	return instances
}

// What is in use after a collection.
func memory() uint64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

func middle(times []int64) int64 {
	slices.Sort(times)
	if len(times) == 0 {
		return 0
	}
	return times[len(times)/2]
}

// What the process uses of the processor, all its threads.
func used(run func()) int64 {
	before := cpuTime()
	run()
	return cpuTime() - before
}

func cpuTime() int64 {
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return usage.Utime.Nano() + usage.Stime.Nano()
}

func timed(run func()) int64 {
	start := time.Now()
	run()
	return time.Since(start).Nanoseconds()
}

// The median time of a pass, after one that warms up.
func measure(budget time.Duration, run func()) int64 {
	start := time.Now()
	var times []int64
	run()
	fewest := 3
	if time.Since(start) > budget {
		fewest = 1
	}
	for len(times) < fewest || (len(times) < 2001 && time.Since(start) < budget) {
		times = append(times, used(run))
	}
	return middle(times)
}

// For each schema the least time of some.
func measureCompile(budget time.Duration, l library, schemas []string) (best []int64) {
	start := time.Now()
	for round := 0; round < 3 || (round < 1000 && time.Since(start) < budget); round++ {
		for i, schema := range schemas {
			ns := used(func() { l.tryCompile(schema) })
			if round == 0 {
				best = append(best, ns)
			}
			best[i] = min(best[i], ns)
		}
	}
	return best
}

// Each document many times before the next, the least of three; twice and once if a pass takes long.
func measureHot(budget time.Duration, eval int64, programs []program, instances []instance) int64 {
	rounds, least := 3, int64(4)
	if eval > budget.Nanoseconds() {
		rounds, least = 1, 2
	}
	repeats := min(max(budget.Nanoseconds()/3/(eval+1), least), 1000)
	var total int64
	for _, i := range instances {
		judge := programs[i.schema]
		if judge == nil {
			continue
		}
		repeat := func() {
			for range repeats {
				judge(i.document)
			}
		}
		best := timed(repeat)
		for range rounds - 1 {
			best = min(best, timed(repeat))
		}
		total += best
	}
	return total / repeats
}

func main() {
	l := libraries[os.Args[1]]
	schemas := lines(os.Args[2])
	instances := load(os.Args[3], l)
	milliseconds, _ := strconv.Atoi(os.Args[4])
	budget := time.Duration(milliseconds) * time.Millisecond

	before := memory()
	programs := make([]program, len(schemas))
	refused, valid, size := 0, 0, 0
	for i, schema := range schemas {
		programs[i] = l.tryCompile(schema)
		if programs[i] == nil {
			refused++
		}
	}
	used := max(memory(), before) - before
	judge := func(i instance) bool {
		document, err := l.decode(i.text)
		return err == nil && programs[i.schema] != nil && programs[i.schema](document)
	}
	for _, i := range instances {
		size += len(i.text)
		if judge(i) {
			valid++
		}
	}
	compile := measureCompile(budget, l, schemas)
	var total int64
	for _, ns := range compile {
		total += ns
	}
	result := map[string]any{"instances": len(instances), "bytes": size, "schemas": len(schemas),
		"refused": refused, "valid": valid, "memory_bytes": used, "compile_ns": total,
		"compile_median_ns": middle(compile)}
	if len(instances) > 0 {
		eval := measure(budget, func() {
			for _, i := range instances {
				if programs[i.schema] != nil {
					programs[i.schema](i.document)
				}
			}
		})
		result["eval_ns"] = eval
		result["eval_hot_ns"] = measureHot(budget, eval, programs, instances)
		result["e2e_ns"] = measure(budget, func() {
			for _, i := range instances {
				judge(i)
			}
		})
		result["parse_ns"] = measure(budget, func() {
			for _, i := range instances {
				l.decode(i.text)
			}
		})
	}
	text, _ := json.Marshal(result)
	fmt.Println(string(text))
}
