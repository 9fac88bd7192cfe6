package town

import "fmt"

// Words that names are made of.
var (
	heads = [...]string{
		"Ash", "Alder", "Amber", "Bram", "Birch", "Black", "Briar", "Brook", "Cinder", "Clay", "Copper", "Crane",
		"Dun", "Elder", "Elm", "Fal", "Fern", "Fox", "Gorse", "Grey", "Hart", "Hazel", "Heron", "High", "Holm",
		"Ivy", "Kes", "Lark", "Linden", "Loam", "Mar", "Mill", "Moss", "Nettle", "North", "Oak", "Otter", "Pel",
		"Penn", "Quill", "Raven", "Red", "Rook", "Rush", "Salt", "Sedge", "Silver", "Stone", "Swan", "Tarn",
		"Thorn", "Umber", "Wend", "White", "Willow", "Wren", "Yarrow",
	}
	tails = [...]string{
		"bury", "by", "combe", "cote", "dale", "den", "field", "ford", "garth", "ham", "haven", "hithe", "holt",
		"hurst", "ley", "marsh", "mere", "mond", "moor", "ness", "reach", "shaw", "stead", "stoke", "ton", "wick",
		"wold", "worth",
	}
	wards     = [...]string{"Old", "High", "Low", "Upper", "Nether", "Saint", "King's", "Abbot's"}
	wardTails = [...]string{"Ward", "Quarter", "Row", "Close", "Court", "Hill", "Yard", "Cross"}
	beasts    = [...]string{
		"Otter", "Badger", "Heron", "Swallow", "Fox", "Hare", "Lark", "Magpie", "Pike", "Robin", "Stag", "Swan",
		"Toad", "Weasel", "Wren", "Bee", "Cat", "Crow", "Dove", "Eel", "Finch", "Goose", "Hound", "Jay", "Kite",
		"Lamb", "Mole", "Newt", "Owl", "Plover", "Quail", "Rook", "Salmon", "Thrush", "Trout", "Viper",
		"Apple", "Ash", "Barley", "Bell", "Bramble", "Candle", "Cherry", "Chestnut", "Clover", "Cooper", "Cord",
		"Dyer", "Elder", "Fern", "Flax", "Garden", "Glover", "Hazel", "Honey", "Hop", "Ink", "Iron", "Ivy",
		"Lantern", "Linen", "Maple", "Mint", "Nettle", "Oak", "Oven", "Pear", "Pepper", "Plum", "Potter",
		"Quince", "Rose", "Rye", "Saddler", "Sage", "Sorrel", "Tanner", "Thistle", "Violet", "Walnut", "Weaver",
		"Willow", "Wool", "Yew",
	}
	ways     = [...]string{"Lane", "Street", "Row", "Alley", "Yard", "Court", "Hill", "End", "Walk", "Close", "Passage", "Rise"}
	metals   = [...]string{"Copper", "Golden", "Silver", "Iron", "Merry", "Sleeping", "Dancing", "Crooked", "Three", "Blue", "Red", "Green", "Old", "Drowsy", "Leaping", "Laughing", "Wandering", "Lucky"}
	signs    = [...]string{"Kettle", "Lantern", "Anchor", "Barrel", "Boar", "Bell", "Bear", "Crown", "Cup", "Drum", "Fiddle", "Goose", "Hare", "Harp", "Hen", "Horseshoe", "Jug", "Key", "Lion", "Moon", "Oak", "Otter", "Pike", "Plough", "Rose", "Ship", "Spoon", "Star", "Swan", "Wheel"}
	crafts   = [...]string{"Smithy", "Bakery", "Cooperage", "Weavery", "Pottery", "Stables", "Brewery", "Chandlery", "Carpentry", "Dye Works", "School", "Bathhouse", "Saddlery", "Butchery", "Apothecary", "Glassworks", "Bindery", "Ropewalk", "Foundry", "Tailoring", "Wagon Yard", "Stone Yard"}
	stalls   = [...]string{"Cloth Stalls", "Fish Stalls", "Bread Stalls", "Fruit Stalls", "Spice Stalls", "Pot Stalls", "Flower Stalls", "Cheese Stalls", "Tool Stalls", "Book Stalls"}
	squares  = [...]string{"Green", "Square", "Pump", "Well", "Cross", "Place"}
	families = [...]string{"well", "man", "son", "more", "ley", "wood", "smith", "ward", "ing", "good", "low", "wright"}
)

// namer makes names of which no two are the same.
type namer struct {
	r    *rng
	used map[string]bool
}

func newNamer(r *rng) namer { return namer{r, map[string]bool{}} }

// fresh draws until a name is new. When a kind of name runs out, which happens
// on very large maps, it counts on.
func (m *namer) fresh(draw func() string) string {
	for range 24 {
		if s := draw(); !m.used[s] {
			m.used[s] = true
			return s
		}
	}
	base := draw()
	for i := 2; ; i++ {
		if s := fmt.Sprintf("%s the %s", base, ordinal(i)); !m.used[s] {
			m.used[s] = true
			return s
		}
	}
}

func ordinal(i int) string {
	if t := i % 100; t < 11 || t > 13 {
		switch i % 10 {
		case 1:
			return fmt.Sprintf("%dst", i)
		case 2:
			return fmt.Sprintf("%dnd", i)
		case 3:
			return fmt.Sprintf("%drd", i)
		}
	}
	return fmt.Sprintf("%dth", i)
}

func (m *namer) pick(list []string) string { return list[m.r.below(len(list))] }

func (m *namer) settlement() string {
	return m.fresh(func() string { return m.pick(heads[:]) + m.pick(tails[:]) })
}

func (m *namer) district(inside bool) string {
	return m.fresh(func() string {
		if inside && m.r.chance(1, 2) {
			return m.pick(wards[:]) + " " + m.pick(heads[:]) + m.pick(tails[:])
		}
		if inside {
			return m.pick(heads[:]) + " " + m.pick(wardTails[:])
		}
		return m.pick(heads[:]) + m.pick(tails[:])
	})
}

// street is a name of its own; where simple ones are used up, the district
// tells them apart.
func (m *namer) street(district string) string {
	draw := func() string { return m.pick(beasts[:]) + " " + m.pick(ways[:]) }
	for range 6 {
		if s := draw(); !m.used[s] {
			m.used[s] = true
			return s
		}
	}
	return m.fresh(func() string { return district + " " + draw() })
}

func (m *namer) tavern() string {
	return m.fresh(func() string { return "The " + m.pick(metals[:]) + " " + m.pick(signs[:]) })
}

func (m *namer) family() string { return m.pick(heads[:]) + m.pick(families[:]) }

func (m *namer) work(what string) string {
	return m.fresh(func() string { return m.family() + "'s " + what })
}

func (m *namer) farm() string {
	return m.fresh(func() string { return m.family() + " Farmhouse" })
}

func (m *namer) square(district string) string {
	return m.fresh(func() string { return district + " " + m.pick(squares[:]) })
}
