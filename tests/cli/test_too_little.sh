#!/bin/bash
# Analyses with too little data fail alone, or lose a part of their result: nothing costs another's results.
source "$(dirname "$0")/checks.sh"

study() { # NAME, with analyses on standard input
  cat - >"$1.list"
  cat >"$1.yaml" <<END
microslip: 1
structure:
  chain:
    masses: {u1: 10, u2: 10, u3: 10}
    springs: [[ground, u1, 9], [u1, u2, 9], [u2, u3, 9]]
  damping: {modal: 1e-4}
joints:
  lap: {law: iwan4, between: [u2, u3], F_S: 10, K_T: 1, chi: -0.5, beta: 5}
loads:
  nothing: {step: {amplitude: 0}, at: u3}
analyses:
$(cat "$1.list")
END
}

# ---- fits of modes ----
study fit <<'END'
  - modes
  - modal_ringdown: {levels: {1: [1, 2, 3, 5, 7, 10], 2: [1, 2, 3, 4, 5], 3: [1, 2, 3]}, time: {step: 0.01, steps: 8000}}
  - fit_modal: {form: continuous}
  - transient: {loads: nothing, time: {step: 0.01, steps: 100}}
END
"$microslip" run fit.yaml --out fit >out 2>error
same "a mode without enough points: exit code" $? 1
same "... the fit is partial" "$(status_of fit fit_modal)" partial
report "... and says why" "$(reasons fit fit_modal | grep -q '^mode 3, continuous form: .*points in 3 bins' || echo "$(reasons fit fit_modal) is not it")"
same "... the other mode has its model" "$(tail -n +2 fit/tables/fit_modal.csv | grep -o '^[0-9]*,continuous' | cut -d, -f1 | tr '\n' ' ')" "2 "
report "... the ring-downs are there" "$([[ $(wc -l <fit/tables/modal_ringdown.csv) -gt 20 ]] || echo missing)"
report "... and what comes after" "$([[ -s fit/tables/transient.csv && -s fit/results.h5 && -s fit/report.html ]] || echo missing)"

study none <<'END'
  - modes
  - modal_ringdown: {modes: [3], levels: {3: [1, 2, 3]}, time: {step: 0.01, steps: 8000}}
  - fit_modal
  - modal_iwan
END
"$microslip" run none.yaml --out none >out 2>error
same "no mode can be fitted: exit code" $? 1
same "... the fit has failed" "$(status_of none fit_modal)" failed
same "... what reads it is skipped" "$(status_of none modal_iwan)" skipped
report "... the others are there" "$([[ -s none/tables/modes.csv && -s none/tables/modal_ringdown.csv ]] || echo missing)"

# ---- records too short to be read: the analysis fails, not the study ----
study short <<'END'
  - modes
  - modal_ringdown: {modes: [1], levels: {1: [1]}, time: {step: 0.1, steps: 60}}
  - backbone: {methods: [ringdown_stft], from: modal_ringdown}
  - transient: {loads: nothing, time: {step: 0.01, steps: 100}}
END
"$microslip" run short.yaml --out short >out 2>error
same "a ring-down too short: exit code" $? 1
same "... has no result" "$(status_of short modal_ringdown)" partial
report "... and says why" "$(reasons short modal_ringdown | grep -q "mode 1 could not be read: .*samples of the record" || echo "$(reasons short modal_ringdown) is not it")"
same "... nor has what reads it" "$(status_of short backbone)" partial
same "... what comes after is there" "$(status_of short transient)" complete

# ---- a response to nothing ----
study frf <<'END'
  - modes
  - frf: {at: u3, sensor: u1, range: [0.01, 0.3], test: {load: nothing, step: 0.2, steps: 2000}}
END
"$microslip" run frf.yaml --out frf >out 2>error
same "a test with a load of zero: exit code" $? 1
same "... has failed" "$(status_of frf frf)" failed
report "... and says why" "$(reasons frf frf | grep -q 'is one of the records zero' || echo "$(reasons frf frf) is not it")"
same "... and the modes are there" "$(status_of frf modes)" complete

# ---- a table without rows, of an analysis that has nothing more to say ----
study sweep <<'END'
  - modes
  - sweep: {base: true, mode: 1, levels: 0.02, directions: up, from: 0.4, to: 0.9, duration: 200, step: 0.05}
END
"$microslip" run sweep.yaml --out sweep >out 2>error
same "a sweep that meets no resonance: exit code" $? 1
same "... is partial" "$(status_of sweep sweep)" partial
report "... and says why" "$(reasons sweep sweep | grep -q '^there is no result: there is no resonance' || echo "$(reasons sweep sweep) is not it")"
same "... the table is empty" "$(tail -n +2 sweep/tables/sweep.csv | wc -l)" 0
same "... and the modes are there" "$(status_of sweep modes)" complete

finish
