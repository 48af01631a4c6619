/* The output of a child on disk, written as it comes: masked, private, bounded.
 *
 *     struct transcript t = {0};
 *     if (!transcript_open(&t, "/run/03-worker.out", &secrets, max, &err)) ...
 *     transcript_add(&t, bytes);                // pieces of any size
 *     transcript_close(&t);
 *
 * The file is new (0600). Bytes beyond max are left out, and the last line has their number. If the
 * disk is full, the rest of the transcript is lost, but the run goes on.
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
    struct buf unmasked, masked; /* unmasked: may end within a secret */
};

/* secrets: more may be added until transcript_close(). */
bool transcript_open(struct transcript *t, const char *path, const struct secrets *secrets,
                     size_t max, struct error *err);
void transcript_add(struct transcript *t, struct str bytes);
void transcript_close(struct transcript *t); /* a zeroed one is fine */
