/* The folder of a run: ~/.multiverse/runs/20261116T025200Z-9f86d081, for transcripts and the files
 * of each call; private (0700).
 *
 *     char id[RUN_FOLDER_ID] = "";              // or a given one: run_id.h
 *     if (!run_folder_make(id, &path, &err)) ...
 *
 * Making a folder removes the oldest ones beyond RUN_FOLDER_KEEP that nothing was written to for a
 * day. Other files in ~/.multiverse/runs stay.
 */
#pragma once

#include "base/buf.h"
#include "base/error.h"
#include "task/run_id.h"

#define RUN_FOLDER_ID   RUN_ID_SIZE
#define RUN_FOLDER_KEEP 100u

/* Create the folder and set *path. An empty id is replaced by a new one. */
bool run_folder_make(char id[RUN_FOLDER_ID], struct buf *path, struct error *err);
