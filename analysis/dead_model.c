#include "analysis/dead_model.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/number_format.h"
#include "report/base/buffer.h"
#include "report/base/memory.h"

/* The widest published models have some 20,000 features; a file that claims
 * more than this does not make us take its memory. */
enum { CANDIDATES_SHOWN = 6, FEATURES_MAX = 1 << 20 };

/* ---- which norm ---- */

static int in_doubt(const struct dead_model *model, struct error *err) {
  const struct final_norm *norm = &model->norm;
  struct buffer list = {0};
  buffer_text(&list, "");
  for (size_t i = 0; i < norm->candidate_count && i < CANDIDATES_SHOWN; i++)
    buffer_printf(&list, "%s%s", i > 0 ? ", " : "", norm->candidates[i]);
  if (norm->candidate_count > CANDIDATES_SHOWN)
    buffer_printf(&list, " and %zu more",
                  norm->candidate_count - CANDIDATES_SHOWN);
  error_set(err, "%s: %s; choose with --gain NAME among %s", model->path,
            norm->reason, list.bytes);
  buffer_free(&list);
  return -1;
}

/* In one shard the last layer need not be the model's. */
static bool shard_tells(const struct dead_model *model,
                        const struct final_norm_request *request) {
  if (request->gain != NULL || !model_files_is_part(model->files)) return true;
  return model->norm.gain != NULL && !model->norm.of_layer;
}

static int find_norm(struct dead_model *model,
                     const struct final_norm_request *request,
                     struct error *err) {
  const char *whole = model_files_whole(model->files);
  if (whole != NULL)
    return error_set(err, "%s: is one shard of a model; give the whole, %s",
                     model->path, whole);
  struct final_norm_source source = {
      .config = model_files_config(model->files),
      .metadata_norm = model_files_metadata(model->files, "norm")};
  source.names = model_files_names(model->files, &source.count);
  struct final_norm norm;
  if (final_norm_find(model->path, &source, request, &norm, err) != 0)
    return -1;
  model->norm = norm;
  if (!shard_tells(model, request))
    return error_set(err,
                     "%s: is one shard of a model, without the index of all; "
                     "which norm follows the last layer does not show in it; "
                     "--gain NAME says which is meant",
                     model->path);
  return norm.gain == NULL ? in_doubt(model, err) : 0;
}

/* ---- its tensors ---- */

/* The values of a tensor of rank 1; the caller frees them. NULL: an error. */
static double *read_vector(struct model_files *files, const char *name,
                           const struct safetensor **tensor, const char **file,
                           struct error *err) {
  *tensor = model_files_tensor(files, name, file, err);
  if (*tensor == NULL) return NULL;
  if ((*tensor)->rank != 1) {
    error_set(err, "%s: tensor \"%s\" has rank %zu; a norm's has 1", *file,
              name, (*tensor)->rank);
    return NULL;
  }
  if ((*tensor)->count > FEATURES_MAX) {
    error_set(err, "%s: tensor \"%s\" has %zu values; a norm's has at most %d",
              *file, name, (*tensor)->count, FEATURES_MAX);
    return NULL;
  }
  double *values = memory_alloc((*tensor)->count, sizeof *values);
  if (safetensor_doubles(*file, *tensor, values, err) == 0) return values;
  free(values);
  return NULL;
}

static int check_width(const struct dead_model *model, size_t width,
                       const struct final_norm_request *request,
                       struct error *err) {
  size_t features = model->norm.width;
  if (request->gain != NULL || features == 0 || features == width) return 0;
  return error_set(err,
                   "%s: tensor \"%s\" has %zu values, but the model has %zu "
                   "features (%s); with --gain no width is expected",
                   model->file, model->norm.gain, width, features,
                   model_files_config_path(model->files));
}

static int read_bias(struct dead_model *model, size_t width, double **bias,
                     struct error *err) {
  const struct safetensor *tensor;
  const char *file;
  *bias = NULL;
  if (model->norm.bias == NULL) return 0;
  *bias = read_vector(model->files, model->norm.bias, &tensor, &file, err);
  if (*bias == NULL) return -1;
  if (tensor->count == width) return 0;
  return error_set(err, "%s: tensor \"%s\" has %zu values, its gain \"%s\" %zu",
                   file, tensor->name, tensor->count, model->norm.gain, width);
}

/* The format of a dtype whose values were read. */
static enum number_format format_of(const char *dtype) {
  if (strcmp(dtype, "F64") == 0) return NUMBER_FLOAT64;
  if (strcmp(dtype, "F16") == 0) return NUMBER_FLOAT16;
  return strcmp(dtype, "BF16") == 0 ? NUMBER_BFLOAT16 : NUMBER_FLOAT32;
}

static int read_norm(struct dead_model *model,
                     const struct final_norm_request *request,
                     struct error *err) {
  const struct safetensor *tensor;
  double *bias = NULL;
  double *gain =
      read_vector(model->files, model->norm.gain, &tensor, &model->file, err);
  if (gain == NULL) return -1;
  model->dtype = tensor->dtype;
  for (size_t i = 0; model->norm.one_plus && i < tensor->count; i++)
    gain[i] += 1;
  enum number_format format = format_of(tensor->dtype);
  model->roundoff = number_format_roundoff(format);
  int result = check_width(model, tensor->count, request, err);
  if (result == 0) result = read_bias(model, tensor->count, &bias, err);
  if (result == 0)
    result = dead_direction_read(model->file, model->norm.gain, tensor->count,
                                 gain, bias, model->roundoff,
                                 number_format_least_normal(format),
                                 &model->direction, err);
  free(gain);
  free(bias);
  return result;
}

int dead_model_read(const char *path, const struct final_norm_request *request,
                    struct dead_model *out, struct error *err) {
  *out = (struct dead_model){.path = path};
  if (model_files_open(path, &out->files, err) == 0 &&
      find_norm(out, request, err) == 0 && read_norm(out, request, err) == 0)
    return 0;
  dead_model_free(out);
  return -1;
}

void dead_model_free(struct dead_model *model) {
  dead_direction_free(&model->direction);
  final_norm_free(&model->norm);
  if (model->files != NULL) model_files_close(model->files);
  *model = (struct dead_model){0};
}
