package xvfb

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// startLimit bounds the wait for the server.
const startLimit = 30 * time.Second

func init() {
	if !strings.HasSuffix(os.Args[0], ".test") {
		return // never in a program
	}
	path := find("Xvfb")
	switch {
	case path != "":
		name, err := start(path)
		if err != nil {
			fmt.Fprintf(os.Stderr, "xvfb: %v\n", err)
			os.Exit(1)
		}
		os.Setenv("DISPLAY", name)
		os.Unsetenv("WAYLAND_DISPLAY")
		os.Unsetenv("XAUTHORITY")
	case os.Getenv("DISPLAY") == "":
		fmt.Println("SKIP: no display and no Xvfb: what is drawn isn't tested")
		os.Exit(0)
	}
}

// find looks a program up in PATH.
func find(program string) string {
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		p := filepath.Join(dir, program)
		if st, err := os.Stat(p); err == nil && st.Mode().IsRegular() && st.Mode()&0o111 != 0 {
			return p
		}
	}
	return ""
}

// start runs an Xvfb that picks a free display, and gives its name. The server
// is killed when the thread that started it ends; that is the main thread,
// which initialisation is locked to and which lives as long as the process.
func start(path string) (string, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return "", err
	}
	defer r.Close()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return "", err
	}
	defer null.Close()
	_, err = os.StartProcess(path, []string{"Xvfb", "-displayfd", "3", "-screen", "0", "1600x1000x24", "-nolisten", "tcp"}, &os.ProcAttr{
		Files: []*os.File{null, null, null, w},
		// What is loaded before the tests isn't for the server.
		Env: slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "LD_PRELOAD=") }),
		Sys: &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL},
	})
	w.Close()
	if err != nil {
		return "", err
	}
	// The server writes its number and a newline when it can be connected to,
	// and closes the pipe when it can't start.
	if err := r.SetReadDeadline(time.Now().Add(startLimit)); err != nil {
		return "", err
	}
	buf := make([]byte, 16)
	n := 0
	for n < len(buf) {
		k, err := r.Read(buf[n:])
		n += k
		if strings.HasSuffix(string(buf[:n]), "\n") {
			return ":" + strings.TrimSpace(string(buf[:n])), nil
		}
		if err != nil {
			return "", errors.New("the server did not start")
		}
	}
	return "", errors.New("the server gave no display number")
}
