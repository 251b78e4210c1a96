# `make run` opens the app, `make test` checks everything. The steps are small scripts in .ci/.

# Cargo's dev profile for all of it: a fresh machine shows its first window in half the time of a release build, tests use
# the same artefacts, and the one hot part, SQLite, is optimised in it all the same. Packages are built with --release.

.PHONY: run serve test soak bench fmt exam exam-kills

# Install what is missing, build, and open the window; ARGS go to the app.
run:
	@.ci/run-app $(ARGS)

# The practice remotes and the engine without a window; prints the address for a browser.
serve:
	@.ci/serve

# Everything; the last line is the sum of all runners.
test:
	@.ci/test

# Fresh seeds of the simulation for SECONDS (300 unless told otherwise), and how many of them ran clean.
soak:
	@SIGNALBOX_SOAK_SECONDS=$(or $(SECONDS),300) cargo test --quiet --test simulation soak -- --nocapture

# Cold start, idle load and a thousand requests at once, of a release build; the numbers of the README.
bench:
	@.ci/bench

# All acceptance cases beside this repository, and which of them could be added to tests/exam-passing.txt.
exam:
	@.ci/exam --all

# The listed acceptance cases with kill -9 at random in every one of them.
exam-kills:
	@.ci/exam --kills

fmt:
	@cargo fmt --all
	@cd ui && npm run --silent format
