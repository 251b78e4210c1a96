# Reads what a test runner printed, whichever it is, and prints "PASSED FAILED".
{ gsub(/\033\[[0-9;]*m/, "") }
/^test result:/                                   { passed += $4; failed += $6 }          # cargo test, each binary
/^ *Summary \[/                                   { last = $0; nextest = 1 }              # cargo nextest
/^ *Tests  +[0-9]/                                { last = $0; vitest = 1 }               # vitest
/^ +[0-9]+ passed/                                { passed += $1 }                        # Playwright
/^ +[0-9]+ (failed|interrupted|did not run)/      { failed += $1 }
/^[0-9]+ passed, [0-9]+ failed$/                  { passed += $1; failed += $3 }          # the acceptance cases
function count(text, word) { return match(text, "[0-9]+ " word) ? substr(text, RSTART, RLENGTH) + 0 : 0 }
END {
  if (nextest) { passed += count(last, "passed"); failed += count(last, "failed") + count(last, "timed out") + count(last, "exec failed") }
  if (vitest) { passed += count(last, "passed"); failed += count(last, "failed") }
  print passed + 0, failed + 0
}
