# `make demo` and `make test` do everything on a Debian or Ubuntu machine with a Swift toolchain.
# Every target may be repeated; what is done already is not done again.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup build demo test install dist examples corpora format lint sanitize arm arm-backend arm-graphs arm-zoo tsan
.PHONY: setup-arm setup-browser
.PHONY: bench bench-avx2 bench-bf16 bench-builds bench-choices bench-cliffs bench-compilers bench-compressed
.PHONY: bench-doublings bench-drawn bench-fat bench-first bench-import bench-int8 bench-keras bench-loops bench-neighbours
.PHONY: bench-networks bench-classical bench-pictures bench-sizes bench-tasks bench-tensor bench-training bench-versions bench-zoo
.PHONY: conformance play-build test-build
.PHONY: fuzz fuzz-ci fuzz-extremes fuzz-graphs fuzz-mutants

PACKAGES := libprotobuf-dev protobuf-compiler libzip-dev zlib1g-dev libpng-dev libjpeg-dev libhdf5-dev pkg-config \
  python3-venv
SWIFT_FLAGS := -c release --explicit-target-dependency-import-check error
SOURCES := Package.swift Sources Converters Specs Tests Examples
MLC := .build/release/mlc
SWIFT := Tests/swift.sh
PYTHON := .venv/bin/python
ZOO := resnet50 mobilenet_v2 efficientnet_b0 vit_b_16 yolov8n_seg colorizer_eccv16 bert_base_qa_128 minilm_l6_128 \
  gpt2_decode_256 lstm_text_64

HALVES := mobilenet_v2 minilm_l6_128
BF16 := resnet50 mobilenet_v2 bert_base_qa_128 vit_b_16
FAT := mobilenet_v2 resnet50 minilm_l6_128 lstm_text_64

FUZZ_GRAPHS = .build/release/fuzz-graphs --seed $(or $(SEED),1) --count $(or $(COUNT),$(if $(TIME),1000000,1500)) \
  $(if $(TIME),--time $(TIME))

help: ## list these targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/make \1|\2/' | column -t -s '|'

setup: ## install the system packages that are missing
	@command -v swift > /dev/null \
	  || { echo "There is no 'swift' on PATH: install a toolchain from https://swift.org/install first." >&2; exit 1; }
	@missing=; \
	for package in $(PACKAGES); do \
	  dpkg-query -W -f '$${Status}' $$package 2> /dev/null | grep -q 'install ok installed' || missing+=" $$package"; \
	done; \
	if [ -z "$$missing" ]; then echo "System packages: all there."; exit 0; fi; \
	if ! command -v apt-get > /dev/null; then \
	  echo "No apt-get here. Install what corresponds to:$$missing" >&2; exit 1; \
	fi; \
	sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	echo "Installing system packages:$$missing"; \
	$$sudo apt-get update -qq; \
	$$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing

PREFIX := /usr/local
install: setup ## install mlc, its manual and completions so that it needs no Swift: PREFIX, DESTDIR
	Sources/Distribution/stage.sh "$(DESTDIR)$(PREFIX)"

dist: build ## write a tarball, a Debian package and an artifact bundle into .build/dist
	@$(MAKE) --no-print-directory setup PACKAGES='zip binutils dpkg-dev'
	Sources/Distribution/dist.sh
	Tests/Examples/distribution.sh .build/dist/mlc-$$(Sources/Distribution/version.sh)-linux-$$(uname -m) $(MLC)
	Tests/Examples/run.sh ProgramInSwift consumer-release

setup-arm: ## install what runs code for ARM on another processor
	@$(MAKE) --no-print-directory setup PACKAGES='qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross'

setup-browser: ## install the browser in which tests look at reports
	@$(MAKE) --no-print-directory setup PACKAGES=chromium

build: setup ## build the mlc command, .build/release/mlc
	@echo "Building mlc."
	$(SWIFT) build $(SWIFT_FLAGS) --product mlc

demo: build $(PYTHON) ## read the text in a picture: fetch a model, convert, compile, verify, predict
	@echo "Fetching the text recogniser."
	$(PYTHON) Tests/Corpora/fetch_models.py ppocr-recogniser
	@Examples/read-text-line.sh $(MLC)

# What plays graphs and bytes besides the tests. Each of Swift's builds makes the link .build/release anew, so that a
# program may be missing for a moment: what runs side by side is built before, by these targets alone.
play-build: setup
	$(SWIFT) build $(SWIFT_FLAGS) --product fuzz-graphs
	$(SWIFT) build $(SWIFT_FLAGS) --product fuzz-data
	$(SWIFT) build $(SWIFT_FLAGS) --product fuzz-models
	$(SWIFT) build $(SWIFT_FLAGS) --product hdf5-server

# What 'make test' runs, without the models that it plays.
test-build: setup
	@$(MAKE) --no-print-directory setup PACKAGES=gcc
	@echo "Building mlc and its tests."
	$(SWIFT) build $(SWIFT_FLAGS) --product mlc
	$(SWIFT) build $(SWIFT_FLAGS) --product mlcPackageTests
	@echo "Building the generator of protobuf code: a test compares what it makes with what is checked in."
	$(SWIFT) build $(SWIFT_FLAGS) --product protoc-gen-swift

test: setup corpora test-build ## run every test
	@echo "Running the tests, and beside them those of the examples, which come last in this log."
	@MLC=$(CURDIR)/$(MLC) Tests/Examples/run.sh $(EXAMPLES) consumer-installed \
	  > .build/examples.log 2>&1 & examples=$$!; status=0; \
	$(SWIFT) test $(SWIFT_FLAGS) --skip-build || status=$$?; \
	wait $$examples || status=$$?; \
	cat .build/examples.log; exit $$status

# 'make test' has the mlc that it built compile the models of the examples. What builds most of mlc once more is among
# 'make examples' alone; the program of ProgramInSwift is among the tests of MILBuilder too.
EXAMPLES := HelloModel SpeechDetector OCR Segmentation Colorizer PhotoLabels ModelManager QuestionAnswering \
  Stickers FineTune
examples: setup ## build the examples and a package as documented, mlc too from its sources, and run their tests
	@echo "Building the examples."
	Tests/Examples/run.sh $(EXAMPLES) ProgramInSwift consumer-debug

corpora: .venv/tests-installed ## fetch test models and cases and record what onnxruntime answers, into .cache
	@echo "Preparing test models in .cache."
	$(PYTHON) Tests/Corpora/fetch_models.py
	$(PYTHON) Tests/Corpora/fill.py
	$(PYTHON) Tests/Corpora/golden.py
	$(PYTHON) Tests/Corpora/kraken.py
	$(PYTHON) Tests/Corpora/draw_shapes.py
	$(PYTHON) Tests/Corpora/draw_compositions.py
	$(PYTHON) Tests/Corpora/quantise.py
	$(PYTHON) Tests/Corpora/dump_onnx_cases.py
	$(PYTHON) Tests/Corpora/fetch_onnx_cases.py

# What pages show, and what stands behind their claims.
BENCHES := zoo networks cliffs drawn doublings avx2 $(if $(shell grep -s avx512_bf16 /proc/cpuinfo),bf16)

bench: ## measure everything beside onnxruntime and OpenVINO, and write tables and pictures: takes hours
	@for part in $(BENCHES); do $(MAKE) --no-print-directory bench-$$part || exit; done

bench-zoo: build corpora .venv/openvino-installed ## measure the zoo beside onnxruntime and OpenVINO, one thread and two
	@mkdir -p .cache/bench; rm -f .cache/bench/zoo.jsonl .cache/bench/zoo-threads.jsonl
	@export LC_ALL=C TIMEFORMAT=%R; exec 3>&2; for name in $(ZOO); do \
	  seconds=$$({ time $(MLC) compile .cache/zoo/$$name.onnx -o .cache/bench/$$name.mlmodelc > /dev/null 2>&3; } 2>&1); \
	  echo "compile $$name: $$seconds s"; \
	  code=$$(find .cache/bench/$$name.mlmodelc -name kernels.so -exec cat {} + | wc -c); \
	  echo "{\"model\": \"$$name\", \"engine\": \"mlc\", \"compile_s\": $$seconds, \"code_bytes\": $$code}" \
	    >> .cache/bench/zoo.jsonl; \
	done
	@for threads in 1 2; do \
	  results=.cache/bench/zoo$$([ $$threads = 1 ] || echo -threads).jsonl; \
	  $(PYTHON) Tests/Benchmarks/bench.py --engines ort,ov --threads $$threads --out $$results \
	    --exec mlc='$(MLC) bench .cache/bench/{name}.mlmodelc --inputs {inputs_npz} --iterations {repeat} \
	      --threads {threads} --json' \
	    $(ZOO:%=.cache/zoo/%.onnx) || exit; \
	  $(PYTHON) Tests/Benchmarks/report.py $$results --page Specs/Manual/Speed.md || exit; \
	done
	$(PYTHON) Tests/Benchmarks/report.py .cache/bench/zoo.jsonl --short --page README.md --picture Specs/Manual/speed.svg

# OpenVINO takes oneDNN's name for a level. Its products by MLAS and its norms choose AVX-512 all the same.
bench-avx2: build corpora .venv-torch/installed ## measure code for AVX2 beside OpenVINO limited to it: REGEX=lab
	@status=0; \
	ONEDNN_MAX_CPU_ISA=AVX2 .venv-torch/bin/python Tests/Benchmarks/networks.py --mlc $(MLC) --target x86-64-v3 \
	  --engines ov --results .cache/bench/avx2.jsonl '$(or $(REGEX),.)' \
	  $(if $(REGEX),,--models $(ZOO:%=.cache/zoo/%.onnx)) || status=$$?; \
	.venv-torch/bin/python Tests/Benchmarks/report.py .cache/bench/avx2.jsonl --page Specs/Manual/Speed.md; \
	exit $$status

bench-bf16: build corpora .venv/openvino-installed ## measure bf16 arithmetic beside OpenVINO's default; needs avx512_bf16
	$(PYTHON) Tests/Benchmarks/bf16.py --mlc $(MLC) $(BF16:%=.cache/zoo/%.onnx)

bench-builds: dist ## measure builds of a Swift package with a model: from sources, with an installed mlc, with a bundle
	python3 Tests/Benchmarks/builds.py

bench-choices: build .venv/tests-installed ## measure what choosing strategies by estimates loses: COUNT=60 SEED=1
	$(PYTHON) Tests/Benchmarks/choices.py --mlc $(MLC) --count $(or $(COUNT),60) --seed $(or $(SEED),1)

bench-cliffs: build .venv/tests-installed ## measure convolutions, and operators alone, beside onnxruntime
	$(PYTHON) Tests/Benchmarks/cliffs.py --mlc $(MLC)

bench-compilers: build corpora ## measure code by gcc beside code by clang
	@$(MAKE) --no-print-directory setup PACKAGES=gcc
	$(PYTHON) Tests/Benchmarks/compilers.py --mlc $(MLC) clang,gcc $(ZOO:%=.cache/zoo/%.onnx)

bench-compressed: build corpora ## measure compressed weights beside onnxruntime's int4 and float32
	@Tests/Benchmarks/compressed.sh $(MLC) $(PYTHON) .cache

bench-doublings: build .venv/tests-installed ## measure whether cost grows as work does: REGEX=softmax
	$(PYTHON) Tests/Benchmarks/doublings.py --mlc $(MLC) '$(or $(REGEX),.)'

bench-drawn: build .venv/tests-installed ## measure operators of drawn shapes: COUNT=200 SEED=1 REGEX=conv
	$(PYTHON) Tests/Benchmarks/draw_operators.py --mlc $(MLC) --count $(or $(COUNT),200) --seed $(or $(SEED),1) \
	  '$(or $(REGEX),.)'

bench-fat: build corpora ## measure packages for several devices beside those for one: megabytes, time
	$(PYTHON) Tests/Benchmarks/fat.py --mlc $(MLC) $(FAT:%=.cache/zoo/%.onnx)

bench-first: dist corpora ## measure from a bare Debian to a first prediction with the Debian package; needs root
	@$(MAKE) --no-print-directory setup PACKAGES=debootstrap
	Tests/Benchmarks/first_prediction.sh .build/dist/mlc_*.deb .cache/models/ppocr-recogniser.onnx Examples/text-line.png

bench-import: build .venv/tests-installed ## measure how long models of many nodes take to be imported and compiled
	$(PYTHON) Tests/Benchmarks/import_speed.py --mlc $(MLC)

bench-int8: build corpora ## measure networks that onnxruntime quantised beside its int8
	$(PYTHON) Tests/Benchmarks/int8.py --mlc $(MLC) .cache/zoo/resnet50.onnx .cache/zoo/mobilenet_v2.onnx

bench-keras: build .venv-keras/installed ## measure networks of keras.applications, from Keras beside from ONNX
	.venv-keras/bin/python Tests/Benchmarks/keras_applications.py --mlc $(MLC)

bench-loops: build .venv/tests-installed ## measure loops of 1000 short iterations beside onnxruntime, one thread
	$(PYTHON) Tests/Benchmarks/loops.py --mlc $(MLC)

bench-neighbours: build .venv/tests-installed ## measure sizes past multiples of vectors and tiles: REGEX=softmax
	$(PYTHON) Tests/Benchmarks/doublings.py --neighbours --mlc $(MLC) '$(or $(REGEX),.)'

bench-networks: build .venv-torch/installed ## measure networks of PyTorch beside onnxruntime and OpenVINO: REGEX=lab
	@status=0; \
	.venv-torch/bin/python Tests/Benchmarks/networks.py --mlc $(MLC) '$(or $(REGEX),.)' || status=$$?; \
	.venv-torch/bin/python Tests/Benchmarks/report.py .cache/bench/networks.jsonl --page Specs/Manual/Speed.md \
	  --picture Specs/Manual/speed-networks.svg; \
	exit $$status

bench-tensor: setup .venv/tests-installed ## measure tensors of Core ML's API beside numpy: ROUNDS=15
	$(SWIFT) build $(SWIFT_FLAGS) --product coreml-bench
	$(PYTHON) Tests/Benchmarks/tensor.py .build/release/coreml-bench $(or $(ROUNDS),15)

bench-training: build .venv-torch/installed ## measure steps of training beside PyTorch, and compare their losses: ROUNDS=5
	.venv-torch/bin/python -W ignore Tests/Benchmarks/training.py --mlc $(MLC) --check
	.venv-torch/bin/python -W ignore Tests/Benchmarks/training.py --mlc $(MLC) --rounds $(or $(ROUNDS),5)

bench-sizes: build ## state how large programs are that link CoreML, ImageIO and Vision
	Tests/Benchmarks/sizes.sh

bench-tasks: build corpora ## measure predictions of many tasks: together, bounded, cancelled, and what a released model gives back
	$(SWIFT) build $(SWIFT_FLAGS) --product coreml-bench
	@mkdir -p .cache/bench; $(MLC) compile .cache/zoo/mobilenet_v2.onnx -o .cache/bench/mobilenet_v2.mlmodelc
	MLC_THREADS=1 .build/release/coreml-bench predictions .cache/bench/mobilenet_v2.mlmodelc
	MLC_THREADS=1 .build/release/coreml-bench tasks .cache/bench/mobilenet_v2.mlmodelc

bench-pictures: setup .venv/tests-installed ## measure a photograph that becomes a model's input beside Pillow: ROUNDS=15
	$(SWIFT) build $(SWIFT_FLAGS) --product pictures-bench
	$(PYTHON) Tests/Benchmarks/pictures.py .build/release/pictures-bench $(or $(ROUNDS),15)

bench-versions: build corpora ## measure what a change of mlc does to models' time: OLD=OTHER/mlc, MODELS
	$(PYTHON) Tests/Benchmarks/versions.py --mlc $(MLC) --old $(OLD) --kernels $(or $(MODELS),$(ZOO:%=.cache/zoo/%.onnx))

bench-classical: build .venv/tests-installed ## measure trees and support vector machines beside onnxruntime, one thread
	$(PYTHON) Tests/Benchmarks/classical.py --mlc $(MLC)

# A build of its own: sanitizers and coverage are in every module. MLC_FUZZ makes Package.swift declare it. Of two
# sanitizers the Swift compiler heeds the last alone, unless one option names both. SwiftPM keeps them in a set: in
# another order than last time everything is compiled again.
FUZZ_BUILD := MLC_FUZZ=1 SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) build --scratch-path .build/fuzz $(SWIFT_FLAGS) \
  --sanitize=fuzzer --sanitize=address -Xswiftc -sanitize=fuzzer,address -Xswiftc -use-ld=lld -Xswiftc -O
TARGET := all
TIME :=
RUNS :=

fuzz: build ## fuzz a reader: TARGET=onnx TIME=600, or RUNS=1000000, SEED; all of them by default
	$(FUZZ_BUILD)
	$(SWIFT) build $(SWIFT_FLAGS) --product hdf5-server
	TIME=$(or $(TIME),60) RUNS=$(RUNS) SEED=$(SEED) Tests/Fuzz/run.sh $(TARGET)

# That other build would take as long as all else: here are the modules that the tests use.
PLAYS := .build/release/fuzz-data .build/release/fuzz-models
fuzz-ci: build play-build ## fuzz the readers of models and data as they ship, unguided, for ten seconds each
	PROGRAMS="$(PLAYS)" EXTREMES=10 TIME=10 SEED=1 Tests/Fuzz/run.sh all

fuzz-extremes: build play-build ## play all seeds of the readers with each of their numbers as far out as it goes: TARGET=onnx
	PROGRAMS="$(PLAYS)" EXTREMES=1 TIME=1 Tests/Fuzz/run.sh $(TARGET)

# The command itself is another build: limits of address space, which children run with, leave no room for the sanitizer's.
tsan: build ## run the runtime's tests under ThreadSanitizer
	$(SWIFT) build --scratch-path .build/tsan --sanitize=thread --product mlcPackageTests
	MLC=$(abspath $(MLC)) TSAN_OPTIONS=halt_on_error=1 $(SWIFT) test --scratch-path .build/tsan --sanitize=thread --skip-build \
	  --filter '^(MLCRuntimeTests|CoreMLTests)[.]'

fuzz-graphs: play-build ## play random graphs under sanitizers beside the interpreter: COUNT, SEED, TIME in seconds
	$(FUZZ_GRAPHS)

fuzz-mutants: play-build ## the same with graphs, and models of ONNX' tests, changed here and there
	$(FUZZ_GRAPHS) --mutate --seeds .cache/onnx_cases/node

conformance: test-build corpora ## play the cases of ONNX and of the corpora on every level of this CPU: they take turns in 'make test'
	MLC_EVERY_LEVEL=1 $(SWIFT) test $(SWIFT_FLAGS) --skip-build --filter '^Conformance[.]'

sanitize: test-build play-build corpora ## play the operator suite and the zoo under sanitizers: a quarter of an hour
	MLC_SANITIZE=1 $(SWIFT) test $(SWIFT_FLAGS) --skip-build --filter SanitizedTests
	.build/release/fuzz-graphs models $(ZOO:%=.cache/zoo/%.onnx)

arm: arm-graphs arm-zoo arm-backend ## play the operator suite, random graphs, real models and the zoo as code for ARM, under qemu

arm-graphs: test-build play-build corpora setup-arm
	MLC_EMULATE=cases $(SWIFT) test $(SWIFT_FLAGS) --skip-build --filter EmulatedTests
	.build/release/fuzz-graphs --target armv8-a --seed $(or $(SEED),1) --count $(or $(COUNT),200)
	.build/release/fuzz-graphs models --target armv8.2-a .cache/models/*.onnx
	.build/release/fuzz-graphs models --target armv8.2-a --arithmetic fp16 $(HALVES:%=.cache/zoo/%.onnx)

arm-backend: test-build corpora setup-arm ## play ONNX' backend tests as code for ARM, under qemu
	MLC_EMULATE=backend $(SWIFT) test $(SWIFT_FLAGS) --skip-build --filter EmulatedBackendTests

arm-zoo: NETWORKS = $(ZOO)
arm-zoo: play-build corpora setup-arm
	.build/release/fuzz-graphs models --target armv8.2-a $(NETWORKS:%=.cache/zoo/%.onnx)

format: ## format the Swift sources in place
	swift format format --in-place --recursive --parallel $(SOURCES)

lint: ## check that the Swift sources are formatted and follow the rules
	swift format lint --strict --recursive --parallel $(SOURCES)

$(PYTHON): | setup
	@echo "Making a Python environment in .venv."
	python3 -m venv .venv

.venv/tests-installed: Tests/requirements.txt | $(PYTHON)
	@echo "Installing what the tests compare with into .venv."
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "The tests need Python 3.11 or later.")'
	$(PYTHON) -m pip install --quiet --disable-pip-version-check --requirement Tests/requirements.txt
	@touch $@

.venv-%/installed: Tests/Benchmarks/requirements-%.txt | setup
	@echo "Installing what $< lists into .venv-$*."
	python3 -m venv .venv-$*
	.venv-$*/bin/python -m pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

.venv/openvino-installed: Tests/Benchmarks/requirements-openvino.txt .venv/tests-installed
	@echo "Installing OpenVINO into .venv."
	$(PYTHON) -m pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@
