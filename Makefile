# Pinpress: measure, check against pins, and only then print.
# `make help` lists the goals; README.md says how to begin.

# ---- settings ---------------------------------------------------------------
CC = gcc
CFLAGS = -O2 -g
WARNINGS = -Wall -Wextra -Wshadow -Wmissing-prototypes $(if $(WERROR),-Werror)
PREFIX = /usr/local
BUILD = build
CORPUS_SHAKESPEARE ?=

# ---- goals given together keep their order, also under -j -------------------
ifneq ($(words $(MAKECMDGOALS)),$(if $(MAKECMDGOALS),1,0))
.NOTPARALLEL:
.PHONY: $(MAKECMDGOALS)
$(MAKECMDGOALS):
	@+$(MAKE) --no-print-directory $@ GOALS='$(MAKECMDGOALS)'
else

.DEFAULT_GOAL = report
.SUFFIXES:
.PHONY: FORCE
GOALS = $(MAKECMDGOALS)
FORCE:

# ---- packages: only names here, looked up when a recipe needs them ----------
DEPS_REPORT = gcc make pkg-config libc6-dev libopenblas-dev liblapacke-dev \
  libcjson-dev nettle-dev libmd4c-dev libhpdf-dev libharfbuzz-dev \
  libexpat1-dev libhyphen-dev hyphen-en-us fonts-texgyre fonts-texgyre-math \
  fonts-dejavu-core gnuplot-nox bible-kjv
DEPS_TEST = libcmocka-dev poppler-utils qpdf tidy faketime clang clang-format
BASE_PACKAGES = libcjson nettle
REPORT_PACKAGES = md4c harfbuzz harfbuzz-subset expat
DEPS = $(DEPS_REPORT) $(if $(filter test,$(GOALS)),$(DEPS_TEST))

.PHONY: deps
deps:
	@have=$$(dpkg-query -W -f='$${db:Status-Status} $${Package}\n' $(DEPS) \
	  2>/dev/null | sed -n 's/^installed //p'); \
	for package in $(DEPS); do \
	  case "$$(echo $$have | sed 's/^/ /;s/$$/ /')" in *" $$package "*) ;; \
	  *) missing="$$missing $$package" ;; esac; done; \
	[ -z "$$missing" ] && exit 0; \
	echo "installing:$$missing"; mkdir -p $(BUILD); \
	as_root=; [ "$$(id -u)" = 0 ] || as_root=sudo; \
	$$as_root apt-get update -qq && \
	$$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
	  --no-install-recommends $$missing >$(BUILD)/deps.log 2>&1 || \
	{ tail -n 5 $(BUILD)/deps.log; exit 1; }

# ---- objects, libraries, programs -------------------------------------------
# Each recipe writes NAME.part and renames it, as pinpress and the studies do
# themselves: a build killed at any moment leaves no half file that looks done.
ALL_CFLAGS = -std=gnu11 $(CFLAGS) -ffp-contract=off $(WARNINGS) -I.
base_libs = $$(pkg-config --libs $(BASE_PACKAGES)) -lm
analysis_libs = -Wl,--as-needed -llapacke -lopenblas $(base_libs)
report_libs = -lhpdf -lhyphen $$(pkg-config --libs $(REPORT_PACKAGES)) $(base_libs)

BASE_SOURCES = $(wildcard report/base/*.c)
ANALYSIS_SOURCES = $(wildcard analysis/*.c)
REPORT_SOURCES = $(filter-out report/pinpress.c,$(wildcard report/*.c))
STUDY_SOURCES = $(wildcard analysis/studies/*.c)
MODEL_STUDY_SOURCES = $(wildcard analysis/model_studies/*.c)
TOOL_SOURCES = $(wildcard analysis/tools/*.c)
TEST_SOURCES = $(wildcard tests/test_*.c)
SOURCES = $(BASE_SOURCES) $(ANALYSIS_SOURCES) $(REPORT_SOURCES) \
  report/pinpress.c $(STUDY_SOURCES) $(MODEL_STUDY_SOURCES) $(TOOL_SOURCES) \
  $(TEST_SOURCES)
objects = $(patsubst %.c,$(BUILD)/objects/%.o,$(1))

PINPRESS = $(BUILD)/bin/pinpress
# Pages are the same at any date; the command alone would date its PDFs.
PRINT = env -u SOURCE_DATE_EPOCH $(PINPRESS)
# Run by pinpress, which finds them beside itself.
COMMAND_PROGRAMS = $(BUILD)/bin/dead_direction
STUDIES = $(patsubst analysis/studies/%.c,%,$(STUDY_SOURCES))
MODEL_STUDIES = $(patsubst analysis/model_studies/%.c,%,$(MODEL_STUDY_SOURCES))
STUDY_PROGRAMS = $(STUDIES:%=$(BUILD)/bin/studies/%) \
  $(MODEL_STUDIES:%=$(BUILD)/bin/model_studies/%)
TESTS = $(patsubst tests/%.c,$(BUILD)/tests/%,$(TEST_SOURCES))

# What compiles, as text: a change of compiler or flags compiles again.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@{ echo '$(CC) $(ALL_CFLAGS)'; $(CC) --version | head -n 1; } >$@.part
	@cmp -s $@.part $@ && rm $@.part || mv $@.part $@

$(BUILD)/objects/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  compile $<"
	@$(CC) $(ALL_CFLAGS) $$(pkg-config --cflags harfbuzz) -MMD -MP \
	  -MF $(@:.o=.d).part -MT $@ -c $< -o $@.part
	@mv $(@:.o=.d).part $(@:.o=.d) && mv $@.part $@

# Results name the flags that they were compiled with.
$(BUILD)/objects/analysis/results.o: ALL_CFLAGS += -DRESULTS_CFLAGS='"$(CFLAGS) -ffp-contract=off"'

-include $(patsubst %.o,%.d,$(call objects,$(SOURCES)))

$(BUILD)/libbase.a: $(call objects,$(BASE_SOURCES))
$(BUILD)/libanalysis.a: $(call objects,$(ANALYSIS_SOURCES))
$(BUILD)/libreport.a: $(call objects,$(REPORT_SOURCES))
$(BUILD)/lib%.a:
	@rm -f $@.part
	@ar rcsD $@.part $^ && mv $@.part $@

ANALYSIS_LIBRARIES = $(BUILD)/libanalysis.a $(BUILD)/libbase.a
REPORT_LIBRARIES = $(BUILD)/libreport.a $(BUILD)/libbase.a
link = @mkdir -p $(@D) && $(CC) $(CFLAGS) $(filter %.o %.a,$^) $(1) -o $@.part && \
  mv $@.part $@

$(PINPRESS): $(BUILD)/objects/report/pinpress.o $(REPORT_LIBRARIES)
	$(call link,$(report_libs))
$(BUILD)/bin/studies/%: $(BUILD)/objects/analysis/studies/%.o $(ANALYSIS_LIBRARIES)
	$(call link,$(analysis_libs))
$(BUILD)/bin/model_studies/%: $(BUILD)/objects/analysis/model_studies/%.o $(ANALYSIS_LIBRARIES)
	$(call link,$(analysis_libs))
$(BUILD)/bin/%: $(BUILD)/objects/analysis/tools/%.o $(ANALYSIS_LIBRARIES)
	$(call link,$(analysis_libs))
$(BUILD)/tests/%: $(BUILD)/objects/tests/%.o $(BUILD)/libreport.a $(ANALYSIS_LIBRARIES)
	$(call link,$$(pkg-config --libs cmocka) $(analysis_libs) $(report_libs))

.PHONY: objects
objects: $(call objects,$(SOURCES))

# ---- results: measured again when a program, an input or the machine changes -
$(BUILD)/environment: FORCE
	@mkdir -p $(@D)
	@{ cat $(BUILD)/flags; env | grep -E '^(OPENBLAS|OMP|GOTO)_' | LC_ALL=C sort; \
	  readlink -f /usr/lib/*/libopenblas.so.0 /usr/lib/*/liblapacke.so.3; nproc; \
	  grep -m 1 'model name' /proc/cpuinfo; true; } >$@.part
	@cmp -s $@.part $@ && rm $@.part || mv $@.part $@
$(BUILD)/environment: $(BUILD)/flags

# A model's name begins with its corpus's. A model whose corpus `deps` does not
# install is measured only where the user gives it; elsewhere the results kept
# in data/measured are checked, which are tied to the hash of the weights.
KNOWN_MODELS = $(patsubst data/models/%.safetensors,%,$(wildcard data/models/*.safetensors))
MODELS = $(filter kjv-% $(if $(CORPUS_SHAKESPEARE),shakespeare-%),$(KNOWN_MODELS))
corpus_of = $(BUILD)/corpora/$(firstword $(subst -, ,$(1))).txt

$(BUILD)/corpora/%.txt: $(BUILD)/bin/corpus data/corpora.json
	@mkdir -p $(@D)
	@$< --corpora data/corpora.json --name $* \
	  $(if $(filter shakespeare,$*),--from '$(CORPUS_SHAKESPEARE)') --out $@

$(BUILD)/results/%.json: $(BUILD)/bin/studies/% $(BUILD)/environment
	@mkdir -p $(@D)
	@echo "  measure $*"
	@$< --out $@

# One reads the logs of runs from other seeds; the directory, for a log that is
# gone.
$(BUILD)/results/eps_pairs.json: $(wildcard data/runs data/runs/*.training.json) \
    $(patsubst %,data/models/kjv-%.training.json,layernorm large-eps)

define model_result
$$(BUILD)/results/$(1)-$(2).json: $$(BUILD)/bin/model_studies/$(1) \
    data/models/$(2).safetensors data/models/$(2).training.json \
    data/models/manifest.json \
    $$(call corpus_of,$(2)) $$(BUILD)/environment
	@mkdir -p $$(@D)
	@echo "  measure $(1) on $(2)"
	@$$< --model $(2) --corpora $(BUILD)/corpora --out $$@
endef
$(foreach m,$(MODELS),$(foreach s,$(MODEL_STUDIES),$(eval $(call model_result,$(s),$(m)))))

# Blocks of articles that are marked to run. Their program is written again
# only when it changes, so that editing words does not run them.
ARTICLE_SOURCES = $(wildcard templates/articles/*.md)
RUN_ARTICLES := $(patsubst templates/articles/%.md,%,$(shell grep -lE \
  '^(```+|~~~+)[[:blank:]]*[^[:blank:]]+[[:blank:]]+run' $(ARTICLE_SOURCES) /dev/null))
BLOCK_CFLAGS = -DMODELS="data/models" -DCORPORA="$(BUILD)/corpora"

$(BUILD)/blocks/%.c: $(BUILD)/blocks/%.stamp ;
$(BUILD)/blocks/%.stamp: templates/articles/%.md $(PINPRESS)
	@$(PINPRESS) run $< --extract $(@:.stamp=.c) && touch $@

$(BUILD)/results/blocks-%.json: $(BUILD)/blocks/%.c $(ANALYSIS_LIBRARIES) \
    $(wildcard data/models/*) $(foreach m,$(MODELS),$(call corpus_of,$(m))) \
    $(BUILD)/environment
	@echo "  run the blocks of templates/articles/$*.md"
	@$(PINPRESS) run templates/articles/$*.md --out $@ --work $(BUILD)/blocks \
	  --cc '$(CC) $(ALL_CFLAGS) $(BLOCK_CFLAGS)' \
	  --libs "$(ANALYSIS_LIBRARIES) $(analysis_libs)" \
	  $(patsubst %,--input=%,$(wildcard data/models/*.safetensors)) \
	  --pass OPENBLAS_NUM_THREADS --pass OPENBLAS_CORETYPE --pass OMP_NUM_THREADS

.SECONDARY: $(RUN_ARTICLES:%=$(BUILD)/blocks/%.c) $(RUN_ARTICLES:%=$(BUILD)/blocks/%.stamp)

MEASURED = $(STUDIES:%=$(BUILD)/results/%.json) \
  $(foreach m,$(MODELS),$(MODEL_STUDIES:%=$(BUILD)/results/%-$(m).json))
KEPT = $(wildcard data/measured/*.json)

# Results name their inputs by paths, which are the same for all below build.
.PHONY: keep
keep: $(if $(CORPUS_SHAKESPEARE),$(if $(filter build,$(BUILD)),$(MEASURED)))
	@[ -n '$(CORPUS_SHAKESPEARE)' ] && [ '$(BUILD)' = build ] || \
	  { echo 'usage: make keep CORPUS_SHAKESPEARE=path/to/input.txt, without BUILD=' >&2; exit 2; }
	@for study in $(MODEL_STUDIES); do \
	  name=$$study-shakespeare-layernorm.json; \
	  cmp -s $(BUILD)/results/$$name data/measured/$$name || \
	  { cp $(BUILD)/results/$$name data/measured/$$name.part && \
	    mv data/measured/$$name.part data/measured/$$name && echo "  kept $$name"; } || exit; \
	done

# One study measures nothing: it reads what the others found, or what is kept.
$(BUILD)/results/reproduction.json: $(BUILD)/bin/reproduction \
    data/published.json $(MEASURED) $(KEPT)
	$(drop_other_results)
	@echo "  compare with the published numbers"
	@$< --published data/published.json --results $(BUILD)/results \
	  --results data/measured --out $@

RESULTS = $(MEASURED) $(RUN_ARTICLES:%=$(BUILD)/results/blocks-%.json) \
  $(BUILD)/results/reproduction.json
# Of a study that is gone, or of a corpus that is no longer given.
drop_other_results = @rm -f $(filter-out $(RESULTS),$(wildcard $(BUILD)/results/*.json))

.PHONY: results
results: $(RESULTS)

# ---- the gate ---------------------------------------------------------------
CHECKED = $(BUILD)/check.stamp
PINS = $(wildcard data/pins/*.json)
WEIGHTS = $(wildcard data/models/*.safetensors)
$(CHECKED): $(PINPRESS) $(RESULTS) $(PINS) $(KEPT) $(WEIGHTS)
	$(drop_other_results)
	@$(PINPRESS) check --results $(BUILD)/results --pins data/pins \
	  --templates templates --stamp $@

.PHONY: check accept
check: $(CHECKED)
accept: $(PINPRESS) $(RESULTS)
	@[ -n "$$KEY" ] && [ -n "$$REASON" ] || \
	  { echo 'usage: make accept KEY=study.path REASON="why it moves"' >&2; exit 2; }
	@$(PINPRESS) accept "$$KEY" --reason "$$REASON" \
	  --results $(BUILD)/results --pins data/pins

# ---- pages ------------------------------------------------------------------
FIGURES = $(patsubst templates/%.gp,%.svg,$(wildcard templates/figures/*.gp))
ARTICLES = $(foreach e,html pdf,$(ARTICLE_SOURCES:templates/%.md=$(BUILD)/%.$(e)))
PROBLEM_SOURCES = $(wildcard templates/problems/*.md)
PROBLEMS = $(foreach e,.pdf -problems.pdf -key.pdf -solutions.pdf .html,\
  $(PROBLEM_SOURCES:templates/%.md=$(BUILD)/%$(e)))
PARTIALS = $(wildcard templates/partials/* templates/figures/*.gp-partial)

figures/%.svg: templates/figures/%.gp $(PARTIALS) $(CHECKED)
	@mkdir -p $(@D)
	@echo "  draw $@"
	@$(PINPRESS) plot $< --pins data/pins -o $@

$(BUILD)/articles/%.html $(BUILD)/articles/%.pdf: templates/articles/%.md $(PARTIALS) $(FIGURES) $(CHECKED)
	@mkdir -p $(@D)
	@echo "  print $(BUILD)/articles/$*.{html,pdf}"
	@$(PRINT) typeset $< --pins data/pins \
	  $(if $(filter $*,$(RUN_ARTICLES)),--blocks $(BUILD)/results/blocks-$*.json) \
	  --html $(BUILD)/articles/$*.html --pdf $(BUILD)/articles/$*.pdf

$(BUILD)/articles/%-numbers.html: templates/articles/%.md $(PARTIALS) $(FIGURES) $(CHECKED)
	@mkdir -p $(@D)
	@$(PINPRESS) ledger $< --pins data/pins \
	  $(if $(filter $*,$(RUN_ARTICLES)),--blocks $(BUILD)/results/blocks-$*.json) \
	  --sources analysis/studies --sources analysis/model_studies --html $@ >$@.account
	@rm $@.account

$(BUILD)/problems/%.pdf $(BUILD)/problems/%-problems.pdf $(BUILD)/problems/%-key.pdf \
    $(BUILD)/problems/%-solutions.pdf $(BUILD)/problems/%.html: \
    templates/problems/%.md $(PARTIALS) $(FIGURES) $(CHECKED)
	@echo "  print $(BUILD)/problems/$*{,-problems,-key,-solutions}.pdf, .html"
	@$(PRINT) problems $< --pins data/pins --out $(BUILD)/problems

.PHONY: figures article problems site report
figures: $(FIGURES)
article: $(ARTICLES)
problems: $(PROBLEMS)

PAGES = $(ARTICLES) $(PROBLEMS)
.PRECIOUS: $(FIGURES) $(PAGES)
NUMBERS = $(ARTICLE_SOURCES:templates/%.md=$(BUILD)/%-numbers.html)
SITE = $(BUILD)/site/index.html
site: $(SITE)
$(SITE): templates/site/index.md $(FIGURES) $(PAGES) $(NUMBERS)
	@rm -rf $(BUILD)/site.part
	@$(PINPRESS) site --index $< --pages $(BUILD) --pins data/pins \
	  --out $(BUILD)/site.part $(ARTICLE_SOURCES) $(PROBLEM_SOURCES)
	@rm -rf $(BUILD)/site && mv $(BUILD)/site.part $(BUILD)/site

report: $(SITE) $(COMMAND_PROGRAMS)
	@echo 'All pins hold; nothing is left to do. The pages:'
	@for page in $(PAGES); do echo "  $$page"; done
	@echo 'and all of them with their numbers, ready to publish:'
	@echo '  $(SITE)'

# Pages to look at while pins fail or are drafts: marked on every page, and
# under build/draft only. The copied templates find the figures beside them.
.PHONY: draft
draft: $(PINPRESS) $(RESULTS)
	@rm -rf $(BUILD)/draft && mkdir -p $(BUILD)/draft/figures && cp -r templates $(BUILD)/draft
	@$(PINPRESS) check --results $(BUILD)/results --pins data/pins \
	  --templates templates --draft || [ $$? = 1 ]
	@cd $(BUILD)/draft && pinpress=$(abspath $(PINPRESS)) pins=$(abspath data/pins) && \
	results=$(abspath $(BUILD)/results) && \
	for source in templates/figures/*.gp; do \
	  $$pinpress plot $$source --pins $$pins -o figures/$$(basename $$source .gp).svg || exit; \
	done && \
	for source in templates/articles/*.md; do \
	  name=$$(basename $$source .md); \
	  case ' $(RUN_ARTICLES) ' in \
	  *" $$name "*) blocks=--blocks=$$results/blocks-$$name.json ;; *) blocks= ;; esac; \
	  $$pinpress typeset $$source --pins $$pins $$blocks --mark DRAFT \
	    --html $$name.html --pdf $$name.pdf || exit; \
	  echo "  $(BUILD)/draft/$$name.{html,pdf}"; \
	done && \
	for source in templates/problems/*.md; do \
	  $$pinpress problems $$source --pins $$pins --mark DRAFT || exit; \
	  echo "  $(BUILD)/draft/$$(basename $$source .md)*"; \
	done

# Polling keeps it free of another package; an idle make takes a few hundredths
# of a second.
.PHONY: watch
watch:
	@while sleep 1; do \
	  $(MAKE) -s --no-print-directory $(SITE) || sleep 4; done

# ---- training: the model, or from other seeds its log alone ------------------
.PHONY: train
train: $(BUILD)/bin/train $(if $(MODEL),$(call corpus_of,$(MODEL)))
	@[ -n '$(MODEL)' ] || { echo 'usage: make train MODEL=kjv-layernorm [SEED=N]' >&2; exit 2; }
	@mkdir -p $(BUILD)/train
	$< --model $(MODEL) --corpus $(call corpus_of,$(MODEL)) \
	  $(if $(SEED),--seed $(SEED) --log data/runs/$(MODEL)-$(SEED).training.json,--out data/models) \
	  --checkpoint $(BUILD)/train/$(MODEL)$(SEED:%=-%).checkpoint

# ---- speed, as ratios within one run ----------------------------------------
.PHONY: bench
bench: $(BUILD)/bin/bench
	@$<

# ---- tests ------------------------------------------------------------------
.PHONY: test
test: $(TESTS) $(PINPRESS) $(COMMAND_PROGRAMS) $(BUILD)/bin/reproduction $(BUILD)/bin/corpus $(BUILD)/bin/train $(STUDY_PROGRAMS) \
    $(BUILD)/corpora/kjv.txt
	@BUILD=$(BUILD) CC='$(CC)' CFLAGS='$(CFLAGS)' tests/run $(TESTS)

.PHONY: sanitize
sanitize:
	@+$(MAKE) --no-print-directory test BUILD=$(BUILD)/sanitize \
	  CFLAGS='-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all'

# ---- house ------------------------------------------------------------------
.PHONY: clean install help
clean:
	rm -rf $(BUILD)

install: $(PINPRESS) $(COMMAND_PROGRAMS)
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/libexec/pinpress \
	  $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 755 $(PINPRESS) $(DESTDIR)$(PREFIX)/bin/pinpress
	install -m 755 $(COMMAND_PROGRAMS) $(DESTDIR)$(PREFIX)/libexec/pinpress
	install -m 644 report/pinpress.1 $(DESTDIR)$(PREFIX)/share/man/man1/pinpress.1

help:
	@sed -n 's/^## //p' Makefile
endif

## make deps report       install packages, measure, check, draw, print
## make deps test         install what tests need and run them all
## make                   the same as make report; does nothing when all is done
## make results           measure; with CORPUS_SHAKESPEARE=FILE that model too
## make keep CORPUS_SHAKESPEARE=FILE   keep that model's results in data/measured
## make check             compare every value with its pin
## make figures           draw figures/*.svg from templates/figures/*.gp
## make article           print build/articles/*
## make problems          print build/problems/*
## make site              gather all pages in build/site, ready to publish
## make accept KEY=... REASON="..."   move a pin, on the record
## make train MODEL=...   train a model again from its corpus; with SEED=N from
##                        other seeds, for its log in data/runs/ alone
## make draft             marked pages in build/draft while pins fail
## make watch             rebuild the pages whenever a source is saved
## make bench             the kernels against plain references, as ratios
## make sanitize          all tests under ASan and UBSan
## make install PREFIX=...  pinpress, the program it calls, its man page
