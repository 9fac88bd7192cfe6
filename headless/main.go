package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	// The first interrupt ends the run in good order; after it the signals
	// have their usual effect again, so a second one kills.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	p := program{stdout: os.Stdout, stderr: os.Stderr, terminal: isTerminal(os.Stderr)}
	os.Exit(p.run(ctx, os.Args[1:]))
}
