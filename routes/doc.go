// Package routes knows where everybody is at any tick: maps, shortest paths, the
// legs of characters' lives, the zones they touch and when.
package routes
