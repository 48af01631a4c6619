/* The folder of a run: ~/.multiverse/runs/20261116T025200Z-9f86d081, for transcripts and the files
 * of each call; private (0700).
 *
 *     char id[RUN_FOLDER_ID] = "";              // or one that was given: run_id.h
 *     if (!run_folder_make(id, &path, &err)) ...
 *
 * Making one takes away the oldest that are above RUN_FOLDER_KEEP, as long as nothing happened in
 * them for a day. Whatever else stands there is left alone.
 */
#pragma once

#include "base/buf.h"
#include "base/error.h"
#include "task/run_id.h"

#define RUN_FOLDER_ID   RUN_ID_SIZE
#define RUN_FOLDER_KEEP 100u

/* An empty id becomes a new one. */
bool run_folder_make(char id[RUN_FOLDER_ID], struct buf *path, struct error *err);
