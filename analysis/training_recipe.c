#include "analysis/training_recipe.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/json_fields.h"
#include "analysis/norm.h"

struct number {
  const char *name;
  double value;
};
enum { NUMBERS = 19, SEEDS = 4 };

struct seed {
  const char *name;
  uint64_t value;
};

static void list_numbers(const struct train_recipe *r,
                         struct number out[NUMBERS]) {
  const struct transformer_config *c = &r->config;
  const struct one_cycle *cycle = &r->cycle;
  const struct number numbers[NUMBERS] = {{"eps", c->eps},
                                          {"symbols", (double)c->V},
                                          {"block", (double)c->T},
                                          {"width", (double)c->C},
                                          {"heads", (double)c->NH},
                                          {"blocks", (double)c->L},
                                          {"batch", (double)r->batch},
                                          {"shards", TRAIN_SHARDS},
                                          {"steps", (double)cycle->steps},
                                          {"lr_max", cycle->lr_max},
                                          {"warm_up", cycle->warm_up},
                                          {"start_div", cycle->start_div},
                                          {"end_div", cycle->end_div},
                                          {"beta1_high", cycle->beta1_high},
                                          {"beta1_low", cycle->beta1_low},
                                          {"beta2", r->beta2},
                                          {"adam_eps", r->adam_eps},
                                          {"weight_decay", r->decay},
                                          {"clip", r->clip}};
  memcpy(out, numbers, sizeof numbers);
}

static void list_seeds(const struct train_recipe *r, struct seed out[SEEDS]) {
  const struct seed seeds[SEEDS] = {{"weights", r->seed_weights},
                                    {"draws", r->seed_draws},
                                    {"validation", r->seed_validation},
                                    {"ladder", r->seed_ladder}};
  memcpy(out, seeds, sizeof seeds);
}

const char *training_recipe_norm(const struct train_recipe *recipe) {
  return norm_name(transformer_norm_kind(&recipe->config));
}

void training_recipe_record(struct results *log,
                            const struct train_recipe *recipe) {
  struct number numbers[NUMBERS];
  struct seed seeds[SEEDS];
  list_numbers(recipe, numbers);
  list_seeds(recipe, seeds);
  results_text(log, recipe->corpus, "recipe.corpus");
  results_text(log, training_recipe_norm(recipe), "recipe.norm");
  for (size_t i = 0; i < NUMBERS; i++)
    results_double(log, numbers[i].value, "recipe.%s", numbers[i].name);
  for (size_t i = 0; i < SEEDS; i++) { /* as text: all 64 bits */
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, seeds[i].value);
    results_text(log, text, "seeds.%s", seeds[i].name);
  }
}

/* The member is there, and is this text or number as it is written. */
static int check(const struct json *object, const char *name,
                 enum json_type type, const char *expected, const char *model,
                 struct error *err) {
  const struct json *found = json_field(object, name, type, err);
  if (found == NULL) return -1;
  if (strcmp(found->text, expected) == 0) return 0;
  return error_at(err, found->place, "\"%s\" is %s; %s is trained with %s",
                  name, found->text, model, expected);
}

int training_recipe_check(const struct json *values,
                          const struct train_recipe *recipe,
                          struct error *err) {
  const char *model = recipe->model;
  struct number numbers[NUMBERS];
  struct seed expected[SEEDS];
  const struct json *found = json_field(values, "recipe", JSON_OBJECT, err);
  const struct json *seeds = json_field(values, "seeds", JSON_OBJECT, err);
  if (found == NULL || seeds == NULL ||
      check(found, "corpus", JSON_STRING, recipe->corpus, model, err) != 0 ||
      check(found, "norm", JSON_STRING, training_recipe_norm(recipe), model,
            err) != 0)
    return -1;
  list_numbers(recipe, numbers);
  for (size_t i = 0; i < NUMBERS; i++) {
    char text[JSON_DOUBLE_TEXT];
    json_double_text(numbers[i].value, text);
    if (check(found, numbers[i].name, JSON_NUMBER, text, model, err) != 0)
      return -1;
  }
  list_seeds(recipe, expected);
  for (size_t i = 0; i < SEEDS; i++) {
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, expected[i].value);
    if (check(seeds, expected[i].name, JSON_STRING, text, model, err) != 0)
      return -1;
  }
  return 0;
}
