#include "analysis/model_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/json_bounded.h"
#include "analysis/json_fields.h"
#include "report/base/memory.h"

#define SUFFIX ".safetensors"
#define INDEX_SUFFIX SUFFIX ".index.json"

/* The largest published models have 10 MB and 100,000 names in an index. */
static const struct json_bounds index_most = {32 << 20, 1 << 20, false},
                                config_most = {16 << 20, 1 << 20, true};

/* A file that was opened. */
struct shard {
  struct shard *next;
  const char *name; /* as in the index */
  const char *path;
  struct safetensors file;
};

/* A tensor and the name of the file it lies in; NULL in a single file. */
struct located {
  const char *name, *shard;
};

struct model_files {
  struct arena arena;
  const char *path;      /* of the index or the single file */
  const char *directory; /* "" or ending with '/' */
  struct shard *opened;
  struct json_document index; /* owns the names of a sharded model */
  struct located *located;    /* (count), in the order of names */
  const char **names;         /* (count) */
  size_t count;
  struct json_document config;
  const char *config_path, *whole;
  bool part; /* the single file is one shard of several */
};

static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text), tail = strlen(end);
  return length >= tail && strcmp(text + length - tail, end) == 0;
}

static bool is_pickle(const char *name) {
  static const char *const ends[] = {".bin", ".pt", ".pth", ".ckpt", ".pkl"};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (ends_with(name, ends[i])) return true;
  return false;
}

/* ---- one file ---- */

static struct shard *open_shard(struct model_files *files, const char *name,
                                const char *path, struct error *err) {
  struct shard *shard = arena_alloc(&files->arena, sizeof *shard);
  if (safetensors_open(path, &shard->file, err) != 0) return NULL;
  shard->name = name;
  shard->path = path;
  shard->next = files->opened;
  files->opened = shard;
  return shard;
}

/* ["NAME", NAME-00002-of-00015.safetensors]: the length of NAME, or 0. */
static size_t shard_stem(const char *path) {
  size_t end = strlen(path) - strlen(SUFFIX);
  static const char *const parts[] = {"-of-", "-"};
  for (size_t i = 0; i < 2; i++) {
    size_t digits = 0, word = strlen(parts[i]);
    while (digits < end && strchr("0123456789", path[end - 1 - digits]) != NULL)
      digits++;
    if (digits == 0 || end < digits + word ||
        memcmp(path + end - digits - word, parts[i], word) != 0)
      return 0;
    end -= digits + word;
  }
  return end;
}

static const char *find_whole(struct model_files *files) {
  size_t stem = ends_with(files->path, SUFFIX) ? shard_stem(files->path) : 0;
  struct stat status;
  if (stem == 0) return NULL;
  files->part = strtoul(strrchr(files->path, '-') + 1, NULL, 10) > 1;
  const char *index =
      arena_printf(&files->arena, "%.*s" INDEX_SUFFIX, (int)stem, files->path);
  return stat(index, &status) == 0 ? index : NULL;
}

static int open_single(struct model_files *files, struct error *err) {
  if (is_pickle(files->path))
    return error_set(err, "%s: weights in pickle format are not read",
                     files->path);
  struct shard *shard = open_shard(files, NULL, files->path, err);
  if (shard == NULL) return -1;
  files->count = shard->file.count;
  files->located =
      arena_alloc(&files->arena, (files->count + 1) * sizeof *files->located);
  for (size_t i = 0; i < files->count; i++)
    files->located[i].name = shard->file.by_name[i]->name;
  files->whole = find_whole(files);
  return 0;
}

/* ---- shards ---- */

static int compare_located(const void *a, const void *b) {
  const struct located *x = a, *y = b;
  return strcmp(x->name, y->name);
}

/* A file beside the index, so that no index reaches out of its directory. */
static int check_shard_name(const struct json *tensor, struct error *err) {
  if (tensor->type != JSON_STRING)
    return error_at(err, tensor->place,
                    "\"weight_map\": \"%s\" is %s, a file name is needed",
                    tensor->key, json_type_name(tensor->type));
  if (strchr(tensor->text, '/') != NULL)
    return error_at(err, tensor->place,
                    "\"%s\" is not the name of a file beside the index",
                    tensor->text);
  if (!ends_with(tensor->text, SUFFIX))
    return error_at(err, tensor->place,
                    "\"%s\" is no NAME" SUFFIX
                    "; weights in pickle format are not read",
                    tensor->text);
  return 0;
}

static int open_index(struct model_files *files, struct error *err) {
  if (json_bounded_read(files->path, index_most, &files->index, err) != 0)
    return -1;
  const struct json *map =
      json_field(files->index.root, "weight_map", JSON_OBJECT, err);
  if (map == NULL) return -1;
  if (map->count == 0)
    return error_at(err, map->place, "\"weight_map\" is empty");
  files->located =
      arena_alloc(&files->arena, map->count * sizeof *files->located);
  for (const struct json *t = map->child; t != NULL; t = t->next) {
    if (check_shard_name(t, err) != 0) return -1;
    files->located[files->count++] = (struct located){t->key, t->text};
  }
  qsort(files->located, files->count, sizeof *files->located, compare_located);
  return 0;
}

/* ---- a directory ---- */

struct listing {
  size_t tensors; /* files NAME.safetensors */
  size_t pickles;
  char *only; /* one of the former */
};

static int list_directory(struct model_files *files, const char *path,
                          struct listing *out, struct error *err) {
  DIR *stream = opendir(path);
  if (stream == NULL) return error_errno(err, path, "cannot open");
  struct dirent *entry;
  for (errno = 0; (entry = readdir(stream)) != NULL; errno = 0) {
    const char *name = entry->d_name;
    if (name[0] == '.') continue; /* also what macOS puts beside files */
    out->pickles += is_pickle(name);
    if (!ends_with(name, SUFFIX)) continue;
    if (out->tensors++ == 0)
      out->only = arena_copy(&files->arena, name, strlen(name));
  }
  int result = errno == 0 ? 0 : error_errno(err, path, "cannot read");
  closedir(stream);
  return result;
}

/* A link that leads nowhere counts, so that opening it tells. */
static const char *existing(struct model_files *files, const char *name) {
  struct stat status;
  const char *path =
      arena_printf(&files->arena, "%s%s", files->directory, name);
  return lstat(path, &status) == 0 ? path : NULL;
}

static int choose_in_directory(struct model_files *files, const char *path,
                               struct error *err) {
  struct listing found = {0};
  if ((files->path = existing(files, "model" INDEX_SUFFIX)) != NULL ||
      (files->path = existing(files, "model" SUFFIX)) != NULL)
    return 0;
  if (list_directory(files, path, &found, err) != 0) return -1;
  if (found.tensors > 1)
    return error_set(err,
                     "%s: %zu files NAME" SUFFIX " and no model" INDEX_SUFFIX
                     "; name one of them, or their index",
                     path, found.tensors);
  if (found.tensors == 0 && found.pickles > 0)
    return error_set(err,
                     "%s: no file NAME" SUFFIX
                     "; weights in pickle format are not read",
                     path);
  if (found.tensors == 0)
    return error_set(err, "%s: no file NAME" SUFFIX " in this directory", path);
  files->path = existing(files, found.only);
  return files->path != NULL ? 0 : error_errno(err, found.only, "cannot open");
}

/* ---- the configuration ---- */

static int read_config(struct model_files *files, struct error *err) {
  struct stat status;
  const char *path =
      arena_printf(&files->arena, "%sconfig.json", files->directory);
  if (stat(path, &status) != 0)
    return errno == ENOENT ? 0 : error_errno(err, path, "cannot inspect");
  if (!S_ISREG(status.st_mode)) return 0;
  if (json_bounded_read(path, config_most, &files->config, err) != 0) return -1;
  const struct json *root = files->config.root;
  if (root->type != JSON_OBJECT)
    return error_at(err, root->place, "the configuration is %s, not an object",
                    json_type_name(root->type));
  files->config_path = path;
  return 0;
}

/* ---- all of it ---- */

static int find_path(struct model_files *files, const char *path,
                     struct error *err) {
  struct stat status;
  if (*path == 0) return error_set(err, "\"\": no model has an empty path");
  if (stat(path, &status) != 0) return error_errno(err, path, "cannot open");
  const char *slash = strrchr(path, '/');
  if (S_ISDIR(status.st_mode)) {
    files->directory = arena_printf(&files->arena, "%s%s", path,
                                    ends_with(path, "/") ? "" : "/");
    return choose_in_directory(files, path, err);
  }
  files->path = arena_copy(&files->arena, path, strlen(path));
  files->directory = arena_copy(&files->arena, path,
                                slash == NULL ? 0 : (size_t)(slash + 1 - path));
  return 0;
}

int model_files_open(const char *path, struct model_files **out,
                     struct error *err) {
  struct model_files *files = memory_alloc(1, sizeof *files);
  *out = NULL;
  if (find_path(files, path, err) != 0 ||
      (ends_with(files->path, ".json") ? open_index(files, err)
                                       : open_single(files, err)) != 0 ||
      read_config(files, err) != 0) {
    model_files_close(files);
    return -1;
  }
  files->names =
      arena_alloc(&files->arena, (files->count + 1) * sizeof *files->names);
  for (size_t i = 0; i < files->count; i++)
    files->names[i] = files->located[i].name;
  *out = files;
  return 0;
}

void model_files_close(struct model_files *files) {
  if (files == NULL) return;
  for (struct shard *s = files->opened; s != NULL; s = s->next)
    safetensors_close(&s->file);
  json_free(&files->index);
  json_free(&files->config);
  arena_free(&files->arena);
  free(files);
}

const char *const *model_files_names(const struct model_files *files,
                                     size_t *count) {
  *count = files->count;
  return files->names;
}

static struct shard *shard_of(struct model_files *files, const char *name,
                              struct error *err) {
  if (name == NULL) return files->opened;
  for (struct shard *s = files->opened; s != NULL; s = s->next)
    if (strcmp(s->name, name) == 0) return s;
  const char *path =
      arena_printf(&files->arena, "%s%s", files->directory, name);
  return open_shard(files, name, path, err);
}

const struct safetensor *model_files_tensor(struct model_files *files,
                                            const char *name, const char **path,
                                            struct error *err) {
  const struct located key = {name, NULL};
  const struct located *at = files->count == 0
                                 ? NULL
                                 : bsearch(&key, files->located, files->count,
                                           sizeof key, compare_located);
  if (at == NULL) {
    error_set(err, "%s: has no tensor \"%s\"", files->path, name);
    return NULL;
  }
  struct shard *shard = shard_of(files, at->shard, err);
  if (shard == NULL) return NULL;
  const struct safetensor *tensor = safetensors_lookup(&shard->file, name);
  if (tensor == NULL)
    error_set(err, "%s: has no tensor \"%s\", which the index places there",
              shard->path, name);
  *path = shard->path;
  return tensor;
}

static bool same_file(const char *path, const struct stat *file) {
  struct stat status;
  return stat(path, &status) == 0 && status.st_dev == file->st_dev &&
         status.st_ino == file->st_ino;
}

bool model_files_has(const struct model_files *files, const char *path) {
  struct stat file;
  if (stat(path, &file) != 0) return false;
  bool found = same_file(files->path, &file);
  const char *before = NULL; /* neighbours mostly lie in one shard */
  for (size_t i = 0; i < files->count && !found; i++) {
    const char *shard = files->located[i].shard;
    if (shard == NULL || (before != NULL && strcmp(shard, before) == 0))
      continue;
    struct buffer name = {0};
    buffer_printf(&name, "%s%s", files->directory, shard);
    found = same_file(name.bytes, &file);
    buffer_free(&name);
    before = shard;
  }
  return found;
}

const struct json *model_files_config(const struct model_files *files) {
  return files->config.root;
}

const char *model_files_config_path(const struct model_files *files) {
  return files->config_path;
}

const char *model_files_metadata(const struct model_files *files,
                                 const char *key) {
  return files->index.root == NULL
             ? safetensors_metadata(&files->opened->file, key)
             : NULL;
}

const char *model_files_whole(const struct model_files *files) {
  return files->whole;
}

bool model_files_is_part(const struct model_files *files) {
  return files->part;
}
