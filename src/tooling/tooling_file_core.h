/* What tooling_file.c (reads, watches) and tooling_edit.c (changes) share. */
#pragma once

#include <sys/stat.h>

#include "base/watch_file.h"
#include "tooling/tooling_file.h"

/* How the file looked when it was read. One that was changed a moment ago may change once more
 * without looking different: clocks of file systems are coarse. */
struct tooling_stamp {
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec written, changed;
    bool is_settled;
};

struct tooling_look {
    bool exists;
    bool is_unread; /* it is there, but could not be read */
    struct tooling_stamp stamp;
    struct buf text;
};

struct tooling_file {
    char *path, *good_path;
    struct tooling *current;
    bool is_default;
    struct error fault;       /* code ERR_NONE: the file is good */
    struct tooling_look seen; /* the newest look at it, whether good or not */
    struct buf good;          /* the text that current was read from; of the default: empty */
    struct watch_file *watch;
    struct timer first_look;
    loop_fn *changed;
    void *ctx;
};

/* Nothing is read yet; current is NULL. */
struct tooling_file *tooling_file_new(const char *path, struct error *err);

/* The file as it is now; one that is missing is no failure. To be ended with
 * tooling_look_done(), also after a failure. */
bool tooling_file_look(const struct tooling_file *f, struct tooling_look *look, struct error *err);
void tooling_look_done(struct tooling_look *look);

/* NULL and *err: the text will not do as the file `name`. */
struct tooling *tooling_file_parse(const struct tooling_file *f, struct str text, const char *name,
                                   struct error *err);

/* The good text of *look, and what it means, are in use from now on; both are taken over. */
void tooling_file_adopt(struct tooling_file *f, struct tooling *t, struct tooling_look *look);
