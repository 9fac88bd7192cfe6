package physics

import (
	"math"

	"github.com/jakecoffman/cp/v2"
)

// Bodies is how many bodies a scene has besides the floor.
const Bodies = 2

// The bodies, by their place in a Sample.
const (
	Box = iota
	Ball
)

// The scene, in centimetres: cp's own tolerances are made for numbers of this
// size.
const (
	Gravity     = 981.0 // cm/s²
	Friction    = 0.3   // of each pair
	Restitution = 0.5   // of each pair

	boxSide, boxHeight, boxAngle = 30.0, 75.0, 0.3
	ballRadius                   = 12.0
	ballX, ballHeight            = 7.0, 165.0
	floorReach                   = 1e5
)

// Place is where a body is.
type Place struct{ X, Y, Angle float64 } // cm, cm, radians

// scene is a space with its bodies.
type scene struct {
	space  *cp.Space
	bodies [Bodies]*cp.Body
}

func newScene() *scene {
	s := &scene{space: cp.NewSpace()}
	s.space.SetGravity(cp.Vector{Y: -Gravity})
	s.rough(cp.NewSegment(s.space.StaticBody, cp.Vector{X: -floorReach}, cp.Vector{X: floorReach}, 0))
	box := cp.NewBody(1, cp.MomentForBox(1, boxSide, boxSide))
	box.SetPosition(cp.Vector{Y: boxHeight})
	box.SetAngle(boxAngle)
	ball := cp.NewBody(0.5, cp.MomentForCircle(0.5, 0, ballRadius, cp.Vector{}))
	ball.SetPosition(cp.Vector{X: ballX, Y: ballHeight})
	s.bodies = [Bodies]*cp.Body{box, ball}
	for _, b := range s.bodies {
		s.space.AddBody(b)
	}
	s.rough(cp.NewBox(box, boxSide, boxSide, 0))
	s.rough(cp.NewCircle(ball, ballRadius, cp.Vector{}))
	return s
}

// rough adds a shape. A pair's coefficients are the products of its shapes'.
func (s *scene) rough(shape *cp.Shape) {
	shape.SetFriction(math.Sqrt(Friction))
	shape.SetElasticity(math.Sqrt(Restitution))
	s.space.AddShape(shape)
}

// step goes on by a time in seconds, and says whether anything touches.
func (s *scene) step(dt float64) (touching bool) {
	s.space.Step(dt)
	for _, b := range s.bodies {
		b.EachArbiter(func(a *cp.Arbiter) { touching = touching || a.Count() > 0 })
	}
	return touching
}

func (s *scene) places() (p [Bodies]Place) {
	for i, b := range s.bodies {
		at := b.Position()
		p[i] = Place{at.X, at.Y, b.Angle()}
	}
	return p
}
