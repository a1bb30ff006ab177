# make run: serves the sample club.  make test: runs every check.  Both do all set-up.
PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8000
BIN := .venv/bin

.PHONY: run serve ready test tests-alone walks test-services container-test cluster-test check tour tour-pages pictures guide-pictures recipes wheel \
	test-wheel frozen test-frozen lock clean

run: ready
	TONGBOX_PORT=$(PORT) $(BIN)/python manage.py sample_data
	$(BIN)/gunicorn --config config/gunicorn.py --bind $(HOST):$(PORT) config.wsgi

# The same without the sample club.
serve: ready
	$(BIN)/gunicorn --config config/gunicorn.py --bind $(HOST):$(PORT) config.wsgi

ready: .venv/run.stamp
	$(BIN)/python manage.py migrate --verbosity 0
	$(BIN)/python manage.py collectstatic --no-input --verbosity 0

# The tests start hundreds of processes: what one has compiled, the next need not.
export PYTHONDONTWRITEBYTECODE :=

# One worker more than processors: some tests wait for a browser or for time to pass.
WORKERS ?= $(shell expr $$(nproc 2>/dev/null || echo 2) + 1)

# Of the longest laws, a day's sample (tests/sampling.py); every case of them: make test WHOLE=1
ifdef WHOLE
export TONGBOX_SAMPLE := whole
endif

# The checks that read the code run beside those that run it, which leave a processor idle.
test: .venv/test.stamp
	$(MAKE) --no-print-directory --jobs=2 check tests-alone

tests-alone: .venv/test.stamp
	$(BIN)/pytest -n $(WORKERS) --dist worksteal

# Long random evenings and tournaments; what fails is made short. Another walk: make walks TONGBOX_SAMPLE=2026-12-02
STEPS ?= 10000
walks: .venv/test.stamp
	TONGBOX_STEPS=$(STEPS) $(BIN)/pytest -n0 tests/walks

# What a database or a cache of its own decides, on PostgreSQL and Redis (DATABASE_URL and REDIS_URL
# say where they are): what is written and locked, what is reckoned by the database, what happens at
# once, what is kept apart or erased, what goes on when a server is away, and an evening in a browser.
ON_SERVICES := tests/scoring/scorebook tests/clubs/evenings/test_wishes.py \
	$(wildcard tests/tournaments/test_*at_once.py \
	$(foreach room,tests/clubs/* tests/tournaments/*,$(addprefix $(room)/test_,services_*.py \
	*at_once.py repairs.py verify.py webhooks.py deeds.py)) \
	$(addprefix tests/tournaments/*/test_,by_hand.py by_standings.py changes.py clock.py desk.py \
	entrants.py prizes.py rulings.py standings.py steps.py wall.py why.py) \
	$(addprefix tests/clubs/*/test_,selectors_[el]*.py agreeing.py changing.py erasing.py keeping.py \
	import_page.py links.py members_merging.py outbox.py rehearsal.py versioned.py) \
	$(addprefix tests/config/test_,metrics_shared.py pooler.py postgresql*.py readiness.py without_redis.py \
	workers.py)) \
	$(addprefix tests/deploy/test_,servers.py unit_filters_of_workers.py) \
	tests/benchmarks/test_large.py tests/browser/test_evening.py

test-services: .venv/test.stamp
	@test -n "$(DATABASE_URL)" -a -n "$(REDIS_URL)" || { echo "Set DATABASE_URL and REDIS_URL."; exit 2; }
	POSTGRESQL_CLIENT="$$(.ci/newer-client)" \
	$(BIN)/pytest -n $(WORKERS) --dist worksteal $(sort $(ON_SERVICES))

# Builds the image on a Debian of its own and plays it. Needs root, podman and debootstrap.
container-test: .venv/test.stamp
	TONGBOX_IMAGE=required $(BIN)/pytest -n0 tests/deploy/test_container.py

# Kills the server that leads of three. Needs Debian's patroni, etcd-server and haproxy; some minutes.
cluster-test: .venv/test.stamp
	TONGBOX_CLUSTER=required $(BIN)/pytest -n0 tests/deploy/test_failover.py

# A client generated in TypeScript plays an evening. Needs node and npm.
clients-test: .venv/test.stamp .venv/node.stamp
	TONGBOX_CLIENTS=required TONGBOX_NODE_MODULES=.venv/node/node_modules $(BIN)/pytest -n0 tests/clients/test_typescript.py

check: .venv/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy .
	$(BIN)/lint-imports
	$(BIN)/python manage.py makemigrations --check --dry-run

# A picture of every page, in var/tour (docs/tour/README.md), or of some: make tour PAGES="club evening"
tour: .venv/test.stamp
	$(MAKE) --no-print-directory --keep-going tour-pages $(if $(PAGES),,guide-pictures)

# The pictures in the README and the guides, each only if its page has visibly changed.
pictures: .venv/test.stamp
	$(MAKE) --no-print-directory --keep-going PAGES=first-look tour-pages guide-pictures

tour-pages: .venv/test.stamp
	$(BIN)/python -m tests.browser.take_tour $(PAGES)

guide-pictures: .venv/test.stamp
	GUIDES=write TONGBOX_BROWSER=required $(BIN)/pytest tests/browser/test_guides.py

# The worked examples of CONTRIBUTING.md, each by the whole suite: an hour and a half, before a release.
recipes: .venv/test.stamp
	TONGBOX_RECIPES=whole $(BIN)/pytest -n0 tests/test_contributing.py -k works_as_it_is_written

lock:
	uv pip compile --quiet --no-emit-index-url --generate-hashes --universal --python-version 3.11 --extra server --extra s3 pyproject.toml -o requirements.txt
	uv pip compile --quiet --no-emit-index-url --generate-hashes --universal --python-version 3.11 --extra server --extra s3 --extra dev pyproject.toml -o requirements-dev.txt

# What people install: `pip install dist/tongbox-….whl`.
wheel: .venv/test.stamp
	rm -f dist/*.whl
	$(BIN)/hatchling build --target wheel

# An evening with it in an empty environment, installed from a folder as where there is no internet.
test-wheel: .venv/test.stamp .venv/wheels.stamp
	TONGBOX_WHEELS=.venv/wheels $(BIN)/pytest tests/package/test_wheel.py

# The folder dist/Tongbox, which needs no Python: for the system that it is made on.
FROZEN := var/frozen
frozen: wheel .venv/wheels.stamp
	rm -rf $(FROZEN) dist/Tongbox
	$(PYTHON) -m venv $(FROZEN)/venv
	$(FROZEN)/venv/bin/pip install --quiet --no-index --find-links .venv/wheels dist/*.whl
	$(FROZEN)/venv/bin/pip install --quiet --disable-pip-version-check --requirement deploy/frozen/requirements.txt
	$(FROZEN)/venv/bin/pyinstaller --noconfirm --log-level WARN --workpath $(FROZEN)/build deploy/frozen/tongbox.spec

# An evening with that.
test-frozen: .venv/test.stamp
	TONGBOX_FROZEN=dist/Tongbox/tongbox $(BIN)/pytest tests/package/test_frozen.py

clean:
	rm -rf .venv dist var

.venv/run.stamp: requirements.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	touch $@

.venv/wheels.stamp: requirements.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	rm -rf .venv/wheels
	$(BIN)/pip download --quiet --disable-pip-version-check --require-hashes -r requirements.txt --dest .venv/wheels
	touch $@

.venv/node.stamp: tests/clients/typescript/package-lock.json
	mkdir -p .venv/node
	cp tests/clients/typescript/package*.json .venv/node
	cd .venv/node && npm ci --silent --no-audit --no-fund --ignore-scripts
	touch $@

.venv/test.stamp: requirements-dev.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	touch .venv/run.stamp $@
