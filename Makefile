# make run: serves the sample club.  make test: everything that must hold.  Both do all set-up.
PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8000
BIN := .venv/bin

.PHONY: run serve ready test test-services check lock clean

run: ready
	$(BIN)/python manage.py sample_data
	$(BIN)/gunicorn --config config/gunicorn.py --bind $(HOST):$(PORT) config.wsgi

# The same without the sample club.
serve: ready
	$(BIN)/gunicorn --config config/gunicorn.py --bind $(HOST):$(PORT) config.wsgi

ready: .venv/run.stamp
	$(BIN)/python manage.py migrate --verbosity 0
	$(BIN)/python manage.py collectstatic --no-input --verbosity 0

# One worker more than processors: some tests wait for a browser or for time to pass.
WORKERS ?= $(shell expr $$(nproc 2>/dev/null || echo 2) + 1)

test: .venv/test.stamp check
	$(BIN)/pytest -n $(WORKERS) --dist worksteal

# The tests that ask a server, on PostgreSQL and Redis (DATABASE_URL and REDIS_URL say where they
# are): not those of the engine, the seating, the league's arithmetic, what pages and papers show and
# read in, the API's shapes,
# who may open them, what a phone does by itself, and a whole tournament that waits for nobody.
ON_SERVICES := tests/clubs tests/config tests/deploy/test_drains_of_workers.py tests/scoring/scorebook tests/tournaments \
	$(addprefix tests/browser/test_,evening.py sixteen_hands.py)
NO_SERVICE := --ignore=tests/clubs/seating --ignore=tests/clubs/league --ignore=tests/clubs/forms \
	$(addprefix --ignore-glob=*/test_,views* *pdf* paper* doors* square* chairs* \
	whole_tournament.py whole_small.py api* five_rule_sets* aid* explained* look_* letters* table* \
	tapping* ways_* receipts* members_* calendar_* names* my_name* exports* finding* presets* drawings* \
	guides* chart* dealing* advice* aligning* rating.py rows* workbooks* templatetags* scripts_* \
	canonical* keeping_of_* special_* signin* second_step* uploads* security* logs* sqlite* \
	full_disk* house_rules* selectors_[cpsfw]* traces* warming*)

test-services: .venv/test.stamp
	@test -n "$(DATABASE_URL)" -a -n "$(REDIS_URL)" || { echo "Set DATABASE_URL and REDIS_URL."; exit 2; }
	$(BIN)/pytest -n $(WORKERS) --dist worksteal $(NO_SERVICE) $(ON_SERVICES)

check: .venv/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy .
	$(BIN)/lint-imports
	$(BIN)/python manage.py makemigrations --check --dry-run

lock:
	uv pip compile --quiet --no-emit-index-url --generate-hashes --universal --python-version 3.11 pyproject.toml -o requirements.txt
	uv pip compile --quiet --no-emit-index-url --generate-hashes --universal --python-version 3.11 --extra dev pyproject.toml -o requirements-dev.txt

clean:
	rm -rf .venv var

.venv/run.stamp: requirements.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	touch $@

.venv/test.stamp: requirements-dev.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	touch .venv/run.stamp $@
