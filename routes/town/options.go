package town

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Sides of a town in cells.
const (
	DefaultSize = 256
	MinSize     = 64
	MaxSize     = 4096
)

// Name is what the built-in town is called on a command line: "town", or
// "town:1024" for another side.
const Name = "town"

// ErrName is returned by ParseName for anything but "town" and "town:SIDE".
var ErrName = errors.New("town: not the name of a built-in town")

// Options say which town to make. The zero value is the town of seed 0 at the
// default size.
type Options struct {
	Seed uint64
	Size int32 // side in cells, MinSize to MaxSize; 0 = DefaultSize
}

// Validate names the field, the value and the range if o can't be built.
func (o Options) Validate() error {
	if o.Size != 0 && (o.Size < MinSize || o.Size > MaxSize) {
		return fmt.Errorf("town: Size %d is outside %d to %d cells", o.Size, MinSize, MaxSize)
	}
	return nil
}

// ParseName reads "town" or "town:SIDE" and says which side is meant. Another
// name gives ErrName, so a caller can go on to try it as a file; a name that
// starts with "town:" but has no usable side gives an error of its own.
func ParseName(name string) (Options, error) {
	if name == Name {
		return Options{Size: DefaultSize}, nil
	}
	side, ok := strings.CutPrefix(name, Name+":")
	if !ok {
		return Options{}, fmt.Errorf("%w: %q (want %s or %s:SIDE)", ErrName, name, Name, Name)
	}
	n, err := strconv.ParseInt(side, 10, 32)
	if err != nil {
		return Options{}, fmt.Errorf("town: side %q in %q is not a whole number from %d to %d", side, name, MinSize, MaxSize)
	}
	if n < MinSize || n > MaxSize {
		return Options{}, fmt.Errorf("town: side %d in %q is outside %d to %d cells", n, name, MinSize, MaxSize)
	}
	return Options{Size: int32(n)}, nil
}
