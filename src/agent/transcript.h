/* What a child prints, on disk as it comes: masked, private, bounded.
 *
 *     struct transcript t = {0};
 *     if (!transcript_open(&t, "/run/03-worker.out", secrets, max, &err)) ...
 *     transcript_add(&t, bytes);                // any pieces
 *     transcript_close(&t);
 *
 * The file is new (0600); what is beyond max bytes is left out, and the last line says how many. A
 * disk that is full costs the rest of the transcript, not the run.
 */
#pragma once

#include "base/error.h"
#include "base/secrets.h"

struct transcript {
    uint64_t left_out; /* bytes that are not in the file */
    /* private */
    int fd; /* 0: not open */
    const struct secrets *secrets;
    size_t max, written;
    struct buf rest, masked;
};

/* secrets: more may be added until transcript_close(). */
bool transcript_open(struct transcript *t, const char *path, const struct secrets *secrets,
                     size_t max, struct error *err);
void transcript_add(struct transcript *t, struct str bytes);
void transcript_close(struct transcript *t); /* takes a zeroed one */
