# Works with GNU make 3.81 and later. `make help` lists the targets.
PY := .venv/bin/python

.DEFAULT_GOAL := help
.PHONY: help demo run backup restore setup setup-dev wheel test test-library test-fast test-safety lint format lock sbom audit site screenshots bench release-data size clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

demo: setup ## start Paragold with the demo project: web server and worker in this terminal
	@exec $(PY) -m ops.launcher --demo

run: setup ## start Paragold without demo data
	@exec $(PY) -m ops.launcher

backup: setup ## write database and files to one file while Paragold runs (FILE=backup.zip, else var/backups/)
	@exec $(PY) manage.py backup $(if $(FILE),--output "$(FILE)")

restore: setup ## restore a backup (FILE=backup.zip, ARGS="--check" or "--replace"); Paragold must not run
	@exec $(PY) -m ops.backup $(ARGS) "$(FILE)"

setup: ## install the packages that Paragold needs into .venv
	@scripts/bootstrap.sh

setup-dev: ## install the packages for tests too
	@scripts/bootstrap.sh --dev

wheel: setup-dev ## build the package into dist/, for pip install or uvx
	@$(PY) -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir dist . && ls dist/*.whl

test: ## install everything needed and run all checks
	@scripts/system-packages.sh
	@scripts/bootstrap.sh --dev
	@exec $(PY) scripts/gate.py

test-library: setup-dev ## the tests of paragold/ alone, without Django
	@$(PY) -m pytest -q -n 2 --dist loadfile -c tests/library.ini tests/paragold

test-fast: setup-dev ## quick checks: ruff, tests of the library and tests without a database
	@exec $(PY) scripts/gate.py fast

test-safety: setup-dev ## what no change may lose: blindness, permissions, kills, imports, exactness (five minutes)
	@exec $(PY) scripts/gate.py safety

lint: setup-dev ## ruff, mypy and the import contracts
	@exec $(PY) scripts/gate.py lint

format: setup-dev ## format the Python files and fix what ruff can
	@$(PY) -m ruff format . && $(PY) -m ruff check --fix .

lock: ## pin the versions: requirements*.in -> requirements*.txt (needs uv)
	@exec scripts/lock.sh

sbom: setup-dev ## check the packages' licences and hashes, write a bill of materials (FILE=sbom.json)
	@$(PY) scripts/supply_chain.py $(or $(FILE),sbom.json)

audit: setup-dev ## look for known weaknesses of the packages (asks the advisories of PyPI)
	@exec .venv/bin/uv tool run pip-audit --requirement requirements.txt --require-hashes --disable-pip

site: setup-dev ## build the documentation as a site into build/site
	@exec $(PY) scripts/documentation_site.py

screenshots: setup-dev ## make the pictures in docs/ again
	@exec $(PY) scripts/screenshots.py

bench: setup-dev ## measure a work beside its peers (NAME=extraction, ARGS="--small"; without NAME: list them)
	@exec $(PY) -m benchmarks $(or $(NAME),--help) $(ARGS)

release-data: setup-dev ## the data of this version's release, with which later versions test upgrading
	@exec $(PY) -m tests.upgrade.releases

size: setup-dev ## lines and files of the product by part (ARGS=--requests: also the files that five requests execute)
	@exec $(PY) scripts/size.py $(ARGS)

clean: ## remove caches and .venv; never the data in var/
	@find . -name var -prune -o -name .venv -prune -o -type d -name __pycache__ -exec rm -rf {} +
	@rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
