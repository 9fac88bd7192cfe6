// Package town makes the built-in town: a map with terrain, districts and
// named places, out of nothing but a seed and a size.
//
// # Model
//
// Generate works outside in. A river is drawn first, then the settlements are
// placed (one capital in the middle, on larger maps also towns and villages),
// then the wall of the capital with its gates, then the roads that join
// everything, bridges included. Inside a settlement districts and blocks are
// warped Voronoi cells; the borders between them are streets, and houses are
// put along the streets with a door cell that touches the street. What is left
// over turns into yards, gardens, hedged fields, forest and swamp.
//
// Everything that decides the map is integer arithmetic on numbers derived
// from the seed, so a seed and a size give the same map on every processor.
// Each stage draws from a stream of its own.
//
// Sizes are sides in cells, MinSize to MaxSize. The number of homes grows with
// the area: about 550 at the default 256, which suits 2,000 characters.
//
// Every place stands on a walkable cell of its own, and all of them lie in one
// connected part of the map: doors are only made next to streets that were
// reached from the market, and Generate counts once more at the end.
//
// # Concurrency
//
// Generate starts nothing, keeps nothing between calls and may be called from
// several goroutines. The map belongs to the caller.
//
// # Errors
//
// A size out of range and a name that ParseName doesn't know are the only
// errors a caller can cause.
//
// # Testing
//
// One golden hash pins seed 1 at size 256; everything else is tested as a
// property (connectivity, closed walls, counts, names) over seeds and sizes.
// CHRONOSCOPE_TOWN_PNG=dir go test -run Picture writes pictures.
package town
