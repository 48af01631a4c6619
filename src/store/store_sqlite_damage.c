#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/rfc3339.h"
#include "store/store_sqlite.h"

#define MAX_LOOK_BYTES (64 << 20) /* of a file that is not expendable: larger ones take too long */

enum store_sqlite_opened store_sqlite_check(struct sqlite *s, struct error *err)
{
    enum store_sqlite_opened how = store_sqlite_connect(s, err);
    char answer[STORE_SQLITE_ANSWER];
    if (how != STORE_SQLITE_OPENED)
        return how;
    if (store_sqlite_ask(s, "PRAGMA integrity_check(1)", answer, err) && strcmp(answer, "ok") == 0)
        return STORE_SQLITE_OPENED;
    if (answer[0] && !s->damaged)
        store_sqlite_fail(s, SQLITE_CORRUPT, err);
    bool damaged = s->damaged;
    store_sqlite_disconnect(s);
    return damaged ? STORE_SQLITE_DAMAGED : STORE_SQLITE_FAILED;
}

/* Behind a new file of that name its journals would be taken for that one's. */
bool store_sqlite_move_aside(struct sqlite *s, char aside[], size_t size, struct error *err)
{
    static const char *const parts[] = {"-wal", "-journal", "-shm", ""};
    char when[RFC3339_LEN + 1], from[PATH_MAX + 16], to[PATH_MAX + 64];
    rfc3339_format(rfc3339_now(), when);
    snprintf(aside, size, "%s.damaged-%s", s->store.name, when);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        snprintf(from, sizeof from, "%s%s", s->store.name, parts[i]);
        snprintf(to, sizeof to, "%s.damaged-%s%s", s->store.name, when, parts[i]);
        if (rename(from, to) < 0 && errno != ENOENT)
            return store_sqlite_fail_system(s, "move aside the damaged", errno, err);
    }
    return true;
}

/* Alone. Damage that is not expendable is told, and all stays as it is. */
static enum store_sqlite_opened look_alone(struct sqlite *s, struct error *err)
{
    struct error why = {0};
    char aside[PATH_MAX + 64];
    enum store_sqlite_opened how = store_sqlite_check(s, &why);
    if (how == STORE_SQLITE_DAMAGED && s->store.schema->is_expendable) {
        if (!store_sqlite_move_aside(s, aside, sizeof aside, err))
            return STORE_SQLITE_FAILED;
        return store_sqlite_connect(s, err) == STORE_SQLITE_OPENED ? STORE_SQLITE_OPENED
                                                                   : STORE_SQLITE_FAILED;
    }
    if (how != STORE_SQLITE_OPENED)
        error_set(err, why.code, "%s", why.text);
    return how; /* OPENED: another process has done it */
}

static bool cannot_repair(struct sqlite *s, bool in_use, struct error *err)
{
    s->store.failure = in_use ? STORE_UNAVAILABLE : STORE_DAMAGED;
    return error_set(err, in_use ? ERR_IN_USE : ERR_IO, "%s is damaged, and %s", s->store.name,
                     in_use ? "other processes have it open"
                            : "there are no locks here to move it aside safely");
}

/* All who find the damage let go of the file. The first of them to get it alone moves it; the
 * others see a new one in its place. */
bool store_sqlite_begin_anew(struct sqlite *s, struct error *err)
{
    int64_t end = store_guard_clock() + s->store.wait_ms;
    store_sqlite_disconnect(s);
    store_guard_drop(&s->guard);
    for (unsigned i = 0; !store_guard_try_alone(&s->guard); i++) {
        if (errno != EWOULDBLOCK)
            return cannot_repair(s, false, err);
        struct stat st;
        if (stat(s->store.name, &st) == 0 && (st.st_ino != s->inode || st.st_dev != s->device))
            return store_sqlite_hold(s, err) && store_sqlite_connect(s, err) == STORE_SQLITE_OPENED;
        if (store_guard_clock() >= end)
            return cannot_repair(s, true, err);
        store_guard_pause(i);
    }
    return look_alone(s, err) == STORE_SQLITE_OPENED && store_sqlite_hold(s, err);
}

/* Whether it was left without being closed: by a crash, or cut off by who knows what. */
static bool was_left_open(const struct sqlite *s)
{
    char wal[PATH_MAX + 8];
    struct stat st;
    snprintf(wal, sizeof wal, "%s-wal", s->store.name);
    return stat(wal, &st) == 0 && st.st_size > 0;
}

static bool is_ragged(struct sqlite *s)
{
    long page;
    struct stat st;
    if (!store_sqlite_number(s, "PRAGMA page_size", &page, NULL) || stat(s->store.name, &st) < 0)
        return true;
    return page <= 0 || st.st_size % page != 0;
}

/* SQLite itself makes good what a crash left behind. The more there is to lose, the more there is
 * to read: beyond some size only what is met shows. */
static bool is_worth_a_look(const struct sqlite *s)
{
    struct stat st;
    return s->store.schema->is_expendable ||
           (stat(s->store.name, &st) == 0 && st.st_size <= MAX_LOOK_BYTES);
}

/* All of it is looked at, which takes a while: only if there is a reason, and nobody else has it
 * open. What goes unnoticed here shows when it is met. */
static bool examine(struct sqlite *s, struct error *err)
{
    if (store_guard_try_alone(&s->guard)) {
        store_sqlite_disconnect(s);
        if (look_alone(s, err) != STORE_SQLITE_OPENED)
            return false;
    }
    return store_sqlite_hold(s, err);
}

/* A path may be that of any file. One that was ever a store has a guard beside it; another one is
 * not even locked. (Nobody here has it open then, whose locks a look at it would end.) */
static bool is_no_store(const struct sqlite *s)
{
    static const char magic[16] = "SQLite format 3";
    char bytes[sizeof magic];
    if (s->store.schema->is_expendable || file_exists(s->guard_path))
        return false;
    int fd = open(s->store.name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t n = fd >= 0 ? read(fd, bytes, sizeof bytes) : 0;
    if (fd >= 0)
        close(fd);
    return n > 0 && (n < (ssize_t)sizeof bytes || memcmp(bytes, magic, sizeof bytes) != 0);
}

bool store_sqlite_open(struct sqlite *s, struct error *err)
{
    if (is_no_store(s)) {
        s->store.failure = STORE_REFUSED;
        return error_set(err, ERR_IO, "cannot use %s: it is something else than a store",
                         s->store.name);
    }
    if (!store_sqlite_hold(s, err))
        return false;
    bool left = was_left_open(s);
    struct error why = {0};
    enum store_sqlite_opened how = store_sqlite_connect(s, &why);
    if (how == STORE_SQLITE_OPENED)
        return (!left && !is_ragged(s)) || !is_worth_a_look(s) || examine(s, err);
    if (how == STORE_SQLITE_DAMAGED && s->store.schema->is_expendable)
        return store_sqlite_begin_anew(s, err);
    return error_set(err, why.code, "%s", why.text);
}
