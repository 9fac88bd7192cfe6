package overlay

import "fmt"

var layerNames = [LayerCount]string{"zones", "heat", "routes", "passages", "characters", "places", "laggards", "reach"}

// String is the layer's name, in lower case.
func (l Layer) String() string {
	if l < LayerCount {
		return layerNames[l]
	}
	return fmt.Sprintf("layer(%d)", uint8(l))
}

// LayerNames are the names of all layers, in their order.
func LayerNames() []string { return append([]string(nil), layerNames[:]...) }

// LayerNamed finds a layer by its name.
func LayerNamed(name string) (Layer, bool) {
	for l := range LayerCount {
		if layerNames[l] == name {
			return l, true
		}
	}
	return 0, false
}
