# Pinpress: measure, check against pins, then print.  `make help` lists goals.

# ---- settings ---------------------------------------------------------------
CC = gcc
CFLAGS = -O2 -g
WARNINGS = -Wall -Wextra -Wshadow -Wmissing-prototypes $(if $(WERROR),-Werror)
PREFIX = /usr/local
BUILD = build
MODELS = $(patsubst data/models/%.safetensors,%,$(wildcard data/models/*.safetensors))

# ---- goals given together keep their order, also under -j -------------------
ifneq ($(words $(MAKECMDGOALS)),$(if $(MAKECMDGOALS),1,0))
.NOTPARALLEL:
.PHONY: $(MAKECMDGOALS)
$(MAKECMDGOALS):
	@+$(MAKE) --no-print-directory $@
else

.DEFAULT_GOAL = report
.DELETE_ON_ERROR:
.SUFFIXES:
.PHONY: report deps objects test results check figures article problems clean help FORCE

# ---- packages: names only, looked up when a recipe needs them ---------------
BASE_PACKAGES = libcjson nettle
REPORT_PACKAGES = $(BASE_PACKAGES) md4c harfbuzz harfbuzz-subset expat
DEPS_REPORT = gcc make pkg-config libopenblas-dev liblapacke-dev libcjson-dev \
  nettle-dev libmd4c-dev libhpdf-dev libharfbuzz-dev libexpat1-dev \
  libhyphen-dev hyphen-en-us fonts-texgyre fonts-texgyre-math \
  fonts-dejavu-core gnuplot-nox bible-kjv
DEPS_TEST = libcmocka-dev poppler-utils qpdf clang clang-format faketime tidy

base_libs = $$(pkg-config --libs $(BASE_PACKAGES)) -lm
analysis_libs = -llapacke -lopenblas $(base_libs)
report_libs = -lhpdf -lhyphen $$(pkg-config --libs $(REPORT_PACKAGES)) -lm

# ---- objects, libraries, programs -------------------------------------------
ALL_CFLAGS = -std=gnu11 $(CFLAGS) -ffp-contract=off $(WARNINGS) -I.

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
STUDIES = $(patsubst analysis/studies/%.c,%,$(STUDY_SOURCES))
MODEL_STUDIES = $(patsubst analysis/model_studies/%.c,%,$(MODEL_STUDY_SOURCES))
TOOLS = $(patsubst analysis/tools/%.c,$(BUILD)/bin/%,$(TOOL_SOURCES))
TESTS = $(patsubst tests/%.c,$(BUILD)/tests/%,$(TEST_SOURCES))

# What compiles and what runs, as text; a change remakes what depends on it.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@{ echo '$(CC) $(ALL_CFLAGS)'; $(CC) --version | head -n 1; } >$@.part
	@cmp -s $@.part $@ && rm $@.part || mv $@.part $@

$(BUILD)/objects/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $$(pkg-config --cflags harfbuzz 2>/dev/null) -MMD -MP -c $< -o $@

# Results name the flags they were compiled with.
$(BUILD)/objects/analysis/results.o: ALL_CFLAGS += -DRESULTS_CFLAGS='"$(CFLAGS) -ffp-contract=off"'

-include $(patsubst %.o,%.d,$(call objects,$(SOURCES)))

$(BUILD)/libbase.a: $(call objects,$(BASE_SOURCES))
$(BUILD)/libanalysis.a: $(call objects,$(ANALYSIS_SOURCES))
$(BUILD)/libreport.a: $(call objects,$(REPORT_SOURCES))
$(BUILD)/lib%.a:
	@rm -f $@
	ar rcsD $@ $^

objects: $(call objects,$(SOURCES))

$(PINPRESS): $(BUILD)/objects/report/pinpress.o $(BUILD)/libreport.a $(BUILD)/libbase.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $^ $(report_libs) -o $@

ANALYSIS_LINK = @mkdir -p $(@D) && $(CC) $(CFLAGS) $^ $(analysis_libs) -o $@
$(BUILD)/bin/studies/%: $(BUILD)/objects/analysis/studies/%.o $(BUILD)/libanalysis.a $(BUILD)/libbase.a
	$(ANALYSIS_LINK)
$(BUILD)/bin/model_studies/%: $(BUILD)/objects/analysis/model_studies/%.o $(BUILD)/libanalysis.a $(BUILD)/libbase.a
	$(ANALYSIS_LINK)
$(BUILD)/bin/%: $(BUILD)/objects/analysis/tools/%.o $(BUILD)/libanalysis.a $(BUILD)/libbase.a
	$(ANALYSIS_LINK)
$(BUILD)/tests/%: $(BUILD)/objects/tests/%.o $(BUILD)/libreport.a $(BUILD)/libanalysis.a $(BUILD)/libbase.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $^ $$(pkg-config --libs cmocka) $(analysis_libs) $(report_libs) -o $@

# ---- tests -------------------------------------------------------------------
test: $(TESTS) $(PINPRESS) $(TOOLS)
	@for t in $(TESTS); do $$t || exit 1; done

clean:
	rm -rf $(BUILD)
endif
