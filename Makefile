# Works with GNU make 3.81 and later. `make help` lists the targets.
PY := .venv/bin/python

.DEFAULT_GOAL := help
.PHONY: help demo run backup restore setup setup-dev wheel test test-library test-fast test-safety lint format lock sbom audit site site-serve screenshots bench-linking bench-judging bench-extraction bench-classifier bench-alignment bench-matching bench-export bench-pages bench-upload release-data size clean

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
	@exec scripts/check.sh

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
	@NO_MKDOCS_2_WARNING=1 exec $(PY) -m mkdocs build --strict

site-serve: setup-dev ## show the documentation while you write it (PORT=8001)
	@NO_MKDOCS_2_WARNING=1 exec $(PY) -m mkdocs serve --strict --dev-addr 127.0.0.1:$(or $(PORT),8001)

screenshots: setup-dev ## make the pictures in docs/ again
	@exec $(PY) scripts/screenshots.py

bench-linking: setup-dev ## actions per linked pair and the speed of the linking page, as JSON
	@$(PY) -m benchmarks.linking

bench-judging: setup-dev ## 50 annotators at once, as JSON (ARGS="--minutes 5" kills the server 20 times)
	@$(PY) -m benchmarks.annotators $(ARGS)

bench-extraction: setup-dev ## speed of extraction as JSON (SCALE=1.0 is the papers' size; needs PostgreSQL)
	@exec $(PY) -m benchmarks.extraction --scale $(or $(SCALE),0.05)

bench-classifier: setup-dev ## speed of features and scoring beside a loop of edit distances, as JSON (ARGS="--pairs 40000")
	@exec $(PY) -m benchmarks.classification $(ARGS)

bench-alignment: setup-dev ## speed and memory of the word aligners, as JSON (eflomal beside them where installed)
	@exec $(PY) -m benchmarks.alignment

bench-matching: setup-dev ## speed of MinHash and exact Jaccard beside datasketch, rensa and scipy, as JSON
	@exec $(PY) -m benchmarks.matching

bench-export: setup-dev ## a million pairs in every format by a worker, seconds and memory, as JSON (ARGS="--pairs 100000")
	@exec $(PY) -m benchmarks.export $(ARGS)

bench-pages: setup-dev ## milliseconds of every page of a manager at 229,000 pairs (ARGS="--only pairs", "--postgresql")
	@exec $(PY) -m benchmarks.manager_pages $(ARGS)

bench-upload: setup-dev ## a gigabyte through the import page while people work, memory and latency, as JSON (ARGS="--megabytes 100")
	@exec $(PY) -m benchmarks.large_upload $(ARGS)

release-data: setup-dev ## the data of this version's release, with which later versions test upgrading
	@exec $(PY) -m tests.upgrade.releases

size: setup-dev ## lines and files of the product by part (ARGS="--requests" traces five requests, --list names modules)
	@exec $(PY) scripts/size.py $(ARGS)

clean: ## remove caches and .venv; never the data in var/
	@find . -name var -prune -o -name .venv -prune -o -type d -name __pycache__ -exec rm -rf {} +
	@rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
