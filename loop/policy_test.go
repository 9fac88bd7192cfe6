package loop_test

import (
	"testing"

	"chronoscope/loop"
)

func TestPolicyNames(t *testing.T) {
	want := []string{"catchup", "drop", "slowdown"}
	all := loop.Policies()
	if len(all) != len(want) {
		t.Fatalf("%d policies, want %d", len(all), len(want))
	}
	for i, p := range all {
		if p.String() != want[i] || !p.Valid() {
			t.Errorf("policy %d is %q, valid %v; want %q", i, p, p.Valid(), want[i])
		}
	}
	var zero loop.Policy
	if zero != loop.CatchUp {
		t.Errorf("the zero policy is %v, want catchup", zero)
	}
}

func TestPolicyUnknown(t *testing.T) {
	p := loop.Policy(len(loop.Policies()))
	if p.Valid() || p.String() != "policy(3)" {
		t.Errorf("policy 3: valid %v, %q", p.Valid(), p)
	}
}
