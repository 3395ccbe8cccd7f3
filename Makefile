# Each target installs its own dependencies; only Python 3.11 or newer is needed.
PYTHON ?= python3
PORT ?= 8765
BIN := .venv/bin
READY := .venv/ready
export PIP_DISABLE_PIP_VERSION_CHECK := 1
PRERENDERED := .venv/prerendered

# As a module: the sources in this folder run, even if a copy of them is installed.
COMMAND := $(BIN)/python -m caravanserai

.PHONY: play run install doctor backup restore test check docs bench weeks train placing calibrate words arena ratings accuracy soak torture fuzz format clean

play: $(PRERENDERED) ## the bot in a local Discord: no token, no account
	$(COMMAND) play --port $(PORT)

run: $(PRERENDERED) ## the bot on real Discord, with DISCORD_TOKEN in .env
	$(COMMAND) run

install: $(PRERENDERED) ## install all that the bot needs, without starting it

doctor: $(READY) ## check the settings and this machine
	@$(COMMAND) doctor

backup: $(READY) ## a copy of the database, even while the bot runs: make backup TO=games.db [FROM=…]
	@test -n "$(TO)" || { echo "Name the file to copy to: make backup TO=games.db"; exit 1; }
	@$(COMMAND) backup "$(TO)" $(if $(FROM),--from "$(FROM)")

restore: $(READY) ## replace the database with a backup, while the bot is stopped: make restore FROM=games.db
	@test -n "$(FROM)" || { echo "Name the backup: make restore FROM=games.db"; exit 1; }
	@$(COMMAND) restore "$(FROM)"

test: .venv/ready-test $(PRERENDERED) ## every test
	$(BIN)/python -m pytest -q -n auto --dist loadfile

check: .venv/ready-test ## lint, format, types, and the safety of the workflows
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/zizmor --quiet --offline .

docs: .venv/ready-docs ## the site of the pages in docs/ and the READMEs, in build/docs
	$(BIN)/sphinx-build --quiet --fail-on-warning -c docs . build/docs

format: .venv/ready-test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: .venv/ready-bench ## speed and memory; never part of the tests
	$(BIN)/python -m tests.bench

train: $(READY) ## fit the weights of the evaluation of GAME by self-play, with the options in ARGS
	$(BIN)/python -m tools.training $(GAME) $(ARGS)

calibrate: $(READY) ## fit and judge the calibration of predicted chances in GAME, with the options in ARGS
	$(BIN)/python -m tools.training.calibration $(GAME) $(ARGS)

placing: $(READY) ## fit the cost of an uneven setup in Jinns, after `make train GAME=jinns`
	$(BIN)/python -m tools.training.placing $(ARGS)

words: $(READY) ## update the catalogs of all languages, and list missing entries
	$(BIN)/python -m locales $(LANGUAGES)

A ?= strong
B ?= fair
N ?= 100

arena: $(READY) ## one kind of computer player against others: make arena GAME=muscat A=strong B=fair N=200 [SEATS=3] [ARGS="--effort 0.1"]
	$(BIN)/python -m tools.arena $(GAME) --players $(A),$(B) --games $(N) $(if $(SEATS),--seats $(SEATS)) $(ARGS)

ratings: $(READY) ## measure the fixed ratings of the computer players of GAME again, in N games of each kind
	$(BIN)/python -m tools.computer_ratings $(GAME) --games $(N) $(ARGS)

accuracy: $(READY) ## the accuracy of players of all strengths, as in stories: make accuracy GAME=muscat N=40
	$(BIN)/python -m tools.arena.accuracy $(GAME) --games $(N) $(ARGS)

DRAWS ?= 1000000
SEASONS ?= 200
CHEATS ?= 500

soak: .venv/ready-test ## games of all kinds in all languages, seasons, cheats, a test of the luck: make soak N=1000 DRAWS=10000 SEASONS=20 CHEATS=50
	$(BIN)/python -m tools.arena.soak --games $(N)
	$(BIN)/python -m tests.crowd seasons --seasons $(SEASONS)
	$(BIN)/python -m tests.fairplay --matches $(CHEATS)
	$(BIN)/python -m tools.arena.chance --draws $(DRAWS)
	EVERYTHING=1 $(BIN)/python -m pytest -q -n auto --dist loadfile

torture: .venv/ready-test ## kill the bot a thousand times, with faults of Discord in between: make torture KILLS=50 DATABASE=sqlite
	$(BIN)/python -m tests.crowd kills --kills $(or $(KILLS),1000) --seed $(or $(SEED),1) --database $(or $(DATABASE),both)

FUZZ ?= 20000

fuzz: .venv/ready-test ## FUZZ new inputs per test for all data from outside; add a failing one to the examples of its test
	FUZZ=$(FUZZ) $(BIN)/python -m pytest -q -n auto tests/fuzz
	$(BIN)/python -m tests.fuzz.odd_payloads --tries $(FUZZ)
	$(BIN)/python -m tests.fuzz.odd_payloads --tries $(FUZZ) --answers

weeks: .venv/ready-test ## a thousand simulated weeks of people who play, sleep and forget; never part of the tests
	$(BIN)/python -m tests.crowd weeks

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Caravanserai needs Python 3.11 or newer. Name one with: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv .venv || \
		{ echo "Python's venv module is missing; on Debian and Ubuntu: apt install python3-venv"; exit 1; }
	@# its name before the current one
	@$(BIN)/pip uninstall --quiet --quiet --yes caravanserai
	$(BIN)/pip install --quiet -e . -c constraints.txt
	@touch $@

$(PRERENDERED): $(READY) $(shell find renders -name '*.py' -o -name '*.svg')
	@echo "Drawing the grounds of the pictures, so that nobody waits for them …"
	@$(BIN)/python -m renders.prerendering
	@touch $@

.venv/ready-test: $(READY)
	$(BIN)/pip install --quiet -e '.[test,check]' -c constraints.txt
	@touch $@

.venv/ready-docs: $(READY)
	$(BIN)/pip install --quiet -e '.[docs]' -c constraints.txt
	@touch $@

.venv/ready-bench: .venv/ready-test
	$(BIN)/pip install --quiet -e '.[bench]' -c constraints.txt
	@touch $@

clean:
	rm -rf .venv build *.egg-info artifacts renders/prerendered
