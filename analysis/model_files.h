/* The tensors of a model under their names, whatever files they lie in:
 *
 *   FILE.safetensors           that file
 *   FILE.safetensors.index.json  shards: `weight_map` gives each tensor's file
 *   DIRECTORY                  model.safetensors.index.json in it, else
 *                              model.safetensors, else its only *.safetensors
 *
 * Names come from the index, or from the header of the one file; a shard is
 * opened when one of its tensors is asked for. Files are mapped, so that of
 * gigabytes of weights only the headers and the tensors read are touched.
 * Shards and `config.json`, which is read when it is there, lie in the
 * directory of the path as given: where that is a link, beside the link. An
 * index that names a file elsewhere, or one that is not NAME.safetensors, is
 * refused, as are indices above 32 MB and configurations above 16 MB.
 *
 * Names are any text of JSON; before they are printed elsewhere than in an
 * error, controls in them are the caller's to mind. */
#ifndef MODEL_FILES_H
#define MODEL_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/safetensors.h"
#include "report/base/error.h"
#include "report/base/json.h"

struct model_files;

/* After a failure *out is NULL. */
int model_files_open(const char *path, struct model_files **out,
                     struct error *err);
void model_files_close(struct model_files *files);

/* All tensor names in the order of their bytes; lent. */
const char *const *model_files_names(const struct model_files *files,
                                     size_t *count);

/* The tensor of that name, with the path of the file it lies in (for
 * messages); both are lent until close. NULL with `err` set when there is none,
 * or its file is missing, damaged or does not hold it. */
const struct safetensor *model_files_tensor(struct model_files *files,
                                            const char *name, const char **path,
                                            struct error *err);

/* Whether the path is the file opened or a shard, under whatever name; no shard
 * is opened for that. */
bool model_files_has(const struct model_files *files, const char *path);

/* The object in config.json, or NULL; its path for messages, or NULL. */
const struct json *model_files_config(const struct model_files *files);
const char *model_files_config_path(const struct model_files *files);

/* A text of `__metadata__` in the single file, or NULL; of shards always NULL.
 */
const char *model_files_metadata(const struct model_files *files,
                                 const char *key);

/* The index of the set that the single file opened is a shard of, when its
 * name says so (NAME-00002-of-00015.safetensors) and the index lies beside it;
 * else NULL. */
const char *model_files_whole(const struct model_files *files);

/* Whether its name says that it is one shard of several. */
bool model_files_is_part(const struct model_files *files);

#endif
