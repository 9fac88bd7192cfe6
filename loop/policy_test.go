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
		got, err := loop.ParsePolicy(want[i])
		if err != nil || got != p {
			t.Errorf("ParsePolicy(%q) = %v, %v", want[i], got, err)
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
	for _, in := range []string{"", "CatchUp", "drop ", "policy(3)"} {
		if got, err := loop.ParsePolicy(in); err == nil {
			t.Errorf("ParsePolicy(%q) = %v, want an error", in, got)
		}
	}
	_, err := loop.ParsePolicy("skip")
	if want := `loop: policy "skip": want catchup, drop or slowdown`; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
