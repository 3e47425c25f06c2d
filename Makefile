# The two commands of the README are `make demo` and `make test`.  PRESET is one of CMakePresets.json.
PRESET ?= release
SECONDS ?= 60
FILTER ?= .
sources = git ls-files -z --cached --others --exclude-standard '*.h' '*.cpp'

.PHONY: demo build test deps configure format check-format bench fuzz stress clean
.NOTPARALLEL:

demo: configure
	cmake --build --preset $(PRESET) --target demo
	build/$(PRESET)/demo

build: configure
	cmake --build --preset $(PRESET)

# Unit tests, file tests, tutorials, benchmarks for 10 ms, layers, the outside project; formatting.
test: build
	ctest --preset $(PRESET)
	@$(MAKE) --no-print-directory check-format

deps:
	@tools/install_deps.sh

configure: deps
	@echo "configure $(PRESET)"
	@cmake --preset $(PRESET) >/dev/null

format:
	$(sources) | xargs -0 -r clang-format -i

check-format:
	@echo "check the formatting"
	@$(sources) | xargs -0 -r clang-format --dry-run --Werror -ferror-limit=1 || \
	  { echo "not formatted as .clang-format says; make format does it"; exit 1; }

# make bench FILTER=Fork; tools/bench_table.py build/release/bench --read --markdown shows it again.
bench: build
	@tools/bench_table.py build/$(PRESET)/bench --filter='$(FILTER)'

# make fuzz TARGET=parse SECONDS=600
fuzz:
	tools/fuzz.sh $(SECONDS) $(TARGET)

# make stress SECONDS=600; TINE_STRESS_SEED=n begins with another seed.
stress: configure
	cmake --build --preset $(PRESET) --target stress
	TINE_STRESS_SECONDS=$(SECONDS) build/$(PRESET)/tests/stress

clean:
	rm -rf build
