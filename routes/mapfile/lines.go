package mapfile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// lines reads a text line by line in bounded memory and knows where it is.
type lines struct {
	file  string
	r     *bufio.Reader
	at    int   // number of the line read last, from 1
	bytes int64 // read so far
}

// bom is what some editors put in front of a text.
const bom = "\xef\xbb\xbf"

func newLines(r io.Reader, file string, longest int) *lines {
	return &lines{file: file, r: bufio.NewReaderSize(r, longest)}
}

// next is the next line without its end (LF or CRLF), valid until the call
// after; io.EOF at the end. A line that doesn't fit the buffer is an error.
func (l *lines) next() ([]byte, error) {
	line, err := l.r.ReadSlice('\n')
	l.bytes += int64(len(line))
	if len(line) == 0 && err == io.EOF {
		return nil, io.EOF
	}
	l.at++
	if l.at == 1 {
		line = bytes.TrimPrefix(line, []byte(bom))
	}
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return nil, l.fault("line is longer than %d characters", l.r.Size())
	case err != nil && err != io.EOF:
		return nil, &Error{File: l.file, Line: l.at, Reason: err.Error(), Err: err}
	}
	line = bytes.TrimSuffix(line, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r")), nil
}

// fault is an error in the line read last.
func (l *lines) fault(format string, args ...any) *Error {
	return &Error{File: l.file, Line: l.at, Reason: fmt.Sprintf(format, args...)}
}

// open opens a regular file. It looks before it opens: opening a pipe would
// wait for a writer.
func open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, systemError(path, err)
	}
	if info.IsDir() {
		return nil, &Error{File: path, Reason: "is a directory, not a file"}
	}
	if !info.Mode().IsRegular() {
		return nil, &Error{File: path, Reason: "is not a regular file"}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, systemError(path, err)
	}
	return f, nil
}

// systemError leaves out the operation and the path, which Error prints.
func systemError(path string, err error) *Error {
	reason := err
	var p *os.PathError
	if errors.As(err, &p) {
		reason = p.Err
	}
	return &Error{File: path, Reason: reason.Error(), Err: err}
}
