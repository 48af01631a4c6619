#include "process/mark.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/id.h"
#include "base/sha256.h"
#include "process/proc_stat.h"

#define MAX_ENVIRON (4u << 20)
#define ROUNDS      20 /* for what forks while we look */
#define PAUSE_MS    2
#define KIN_BYTES   (ID_LEN / 4) /* of an id: what kin have in common */

void mark_make(char to[MARK_SIZE], const char *name)
{
    char id[ID_LEN + 1];
    id_new(id);
    snprintf(to, MARK_SIZE, "%s=%s", name, id);
}

void mark_make_about(char to[MARK_SIZE], const char *name, struct str about)
{
    uint8_t digest[SHA256_LEN];
    char id[ID_LEN + 1], kin[2 * KIN_BYTES + 1];
    id_new(id);
    sha256(about, digest);
    for (size_t i = 0; i < KIN_BYTES; i++)
        snprintf(kin + 2 * i, 3, "%02x", digest[i]);
    snprintf(to, MARK_SIZE, "%s=%s%s", name, kin, id + 2 * KIN_BYTES);
}

bool mark_is_valid(const char *text)
{
    struct str rest = str_from(text), name;
    return str_cut(&rest, '=', &name) && rest.n == ID_LEN &&
           (str_eq(name, STR(MARK_ATTEMPT)) || str_eq(name, STR(MARK_RUN)) ||
            str_eq(name, STR(MARK_TASK)));
}

/* Whether the variable would stand beside the mark: another of its name, or any where there
 * shall be none. */
static bool is_in_the_way(struct str variable, const char *mark)
{
    struct str name, own = str_from(mark ? mark : ""), rest = variable;
    str_cut(&rest, '=', &name);
    if (mark)
        return str_eq(name, str_head(own, str_find_char(own, '=')));
    return str_eq(name, STR(MARK_ATTEMPT)) || str_eq(name, STR(MARK_RUN));
}

const char **mark_environment(struct arena *a, const char *const *env, const char *mark)
{
    size_t n = 0, kept = 0;
    while (env[n])
        n++;
    const char **made = arena_alloc(a, (n + 2) * sizeof *made);
    for (size_t i = 0; i < n; i++)
        if (!is_in_the_way(str_from(env[i]), mark))
            made[kept++] = env[i];
    if (mark)
        made[kept++] = mark;
    made[kept] = NULL;
    return made;
}

enum found {
    FOUND_NOT,
    FOUND_MARK,
    FOUND_NOTHING, /* no environment at all: that may be about to change */
    FOUND_CLOSED   /* it may not be read: of somebody else, or of one that ends */
};

static enum found look_at(const char *pid, struct str mark, struct buf *text)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%.20s/environ", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) /* ESRCH, from Linux 6.16 on: its memory is gone, its files may still be open */
        return errno == EACCES ? FOUND_CLOSED : errno == ESRCH ? FOUND_NOTHING : FOUND_NOT;
    buf_clear(text);
    for (;;) {
        char *room = buf_room(text, 16u << 10);
        ssize_t n = room ? read(fd, room, 16u << 10) : 0;
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        text->n += (size_t)n;
    }
    close(fd);
    if (!text->n)
        return FOUND_NOTHING;
    return memmem(text->p, text->n, mark.p, mark.n) ? FOUND_MARK : FOUND_NOT;
}

/* Without an environment is who is dead, or was started without one, and a thread of the kernel;
 * but also who was between two programs just now, or is about to die with its files still open. */
static bool is_unsettled(int pid, enum found found)
{
    struct proc_stat st;
    if (found < FOUND_NOTHING || !proc_stat_read(pid, &st) || st.is_dead || st.is_kernel)
        return false;
    return found == FOUND_CLOSED ? st.is_ending : !st.has_no_environment;
}

/* To each that has it; *unsettled counts those of whom it cannot be told. */
static size_t signal_all(struct str mark, int signum, size_t *unsettled)
{
    assert(mark.n > 2 * KIN_BYTES); /* an empty one would be found everywhere */
    struct buf text = buf_make(MAX_ENVIRON);
    DIR *d = opendir("/proc");
    size_t count = 0;
    *unsettled = 0;
    for (struct dirent *e; d && (e = readdir(d));) {
        int pid = atoi(e->d_name);
        if (pid <= 1 || pid == getpid())
            continue;
        enum found found = look_at(e->d_name, mark, &text);
        if (found == FOUND_MARK && kill(pid, signum) == 0)
            count++;
        else if (is_unsettled(pid, found))
            ++*unsettled;
    }
    if (d)
        closedir(d);
    buf_done(&text);
    return count;
}

size_t mark_signal(const char *mark, int signum)
{
    size_t unsettled;
    assert(mark_is_valid(mark));
    return signal_all(str_from(mark), signum, &unsettled);
}

size_t mark_kill(const char *mark)
{
    size_t count = 0;
    for (int i = 0; i < ROUNDS; i++) {
        size_t n = mark_signal(mark, SIGKILL);
        count += n;
        if (n == 0)
            break;
    }
    return count;
}

/* A look that finds nobody is not enough: while it went through the list, one that it had passed
 * may have been the parent of one with a smaller number. */
static bool end_all(struct str mark, uint64_t limit_ms)
{
    const struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000L};
    uint64_t waited = 0;
    bool was_busy = false;
    for (int clean = 0; clean < (was_busy ? 2 : 1);) {
        size_t unsettled, seen = signal_all(mark, SIGKILL, &unsettled);
        if (!seen && !unsettled) {
            clean++;
            continue;
        }
        was_busy = true;
        clean = 0;
        if (waited >= limit_ms)
            return !seen;
        nanosleep(&pause, NULL);
        waited += PAUSE_MS;
    }
    return true;
}

bool mark_kill_wait(const char *mark, uint64_t limit_ms)
{
    assert(mark_is_valid(mark));
    return end_all(str_from(mark), limit_ms);
}

bool mark_kill_about(const char *mark, uint64_t limit_ms)
{
    assert(mark_is_valid(mark));
    struct str kin = str_from(mark);
    return end_all(str_head(kin, kin.n - 2 * KIN_BYTES), limit_ms);
}
