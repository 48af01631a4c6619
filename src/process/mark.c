#include "process/mark.h"

#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/id.h"
#include "base/sha256.h"
#include "process/platform.h"

#define MAX_ENVIRONMENT (4u << 20)
#define ROUNDS          20 /* for processes that fork during the search */
#define PAUSE_MS        2
#define SUBJECT_BYTES   (ID_LEN / 4) /* half of the id */

/* ---- marks */

void mark_make(char to[MARK_SIZE], const char *name)
{
    char id[ID_LEN + 1];
    id_new(id);
    snprintf(to, MARK_SIZE, "%s=%s", name, id);
}

void mark_make_about(char to[MARK_SIZE], const char *name, struct str subject)
{
    uint8_t digest[SHA256_LEN];
    char id[ID_LEN + 1], half[2 * SUBJECT_BYTES + 1];
    id_new(id);
    sha256(subject, digest);
    for (size_t i = 0; i < SUBJECT_BYTES; i++)
        snprintf(half + 2 * i, 3, "%02x", digest[i]);
    snprintf(to, MARK_SIZE, "%s=%s%s", name, half, id + 2 * SUBJECT_BYTES);
}

bool mark_is_valid(const char *text)
{
    struct str id = str_from(text), name;
    return str_cut(&id, '=', &name) && id.n == ID_LEN &&
           (str_eq(name, STR(MARK_ATTEMPT)) || str_eq(name, STR(MARK_RUN)) ||
            str_eq(name, STR(MARK_TASK)));
}

/* ---- environments */

static bool is_replaced(struct str existing, const char *variable)
{
    struct str name, value = existing;
    str_cut(&value, '=', &name);
    if (!variable)
        return str_eq(name, STR(MARK_ATTEMPT)) || str_eq(name, STR(MARK_RUN));
    struct str new_text = str_from(variable);
    return str_eq(name, str_head(new_text, str_find_char(new_text, '=')));
}

const char **mark_environment(struct arena *a, const char *const *env, const char *variable)
{
    size_t n = 0, kept = 0;
    while (env[n])
        n++;
    const char **copy = arena_alloc(a, (n + 2) * sizeof *copy);
    for (size_t i = 0; i < n; i++)
        if (!is_replaced(str_from(env[i]), variable))
            copy[kept++] = env[i];
    if (variable)
        copy[kept++] = variable;
    copy[kept] = NULL;
    return copy;
}

/* ---- searching */

struct mark_search {
    struct str mark;
    int signum;
    struct buf environment;
    size_t found, undecided;
};

/* No environment could be read. The process may be dead, a thread of the kernel, or started without
 * one; but it may also be between two programs, or about to die with its files still open. */
static bool is_undecided(int pid, enum platform_access access)
{
    struct platform_process p;
    if (access == PLATFORM_GONE || !platform_read_process(pid, &p) || p.is_dead || p.is_kernel)
        return false;
    return access == PLATFORM_DENIED ? p.is_ending : !p.has_no_environment;
}

static void signal_if_marked(int pid, void *ctx)
{
    struct mark_search *s = ctx;
    enum platform_access access = platform_read_environment(pid, &s->environment);
    if (access != PLATFORM_READ)
        s->undecided += is_undecided(pid, access);
    else if (memmem(s->environment.p, s->environment.n, s->mark.p, s->mark.n) &&
             kill(pid, s->signum) == 0)
        s->found++;
}

/* Signal each process that carries the mark. *undecided (may be NULL) counts those that may. */
static size_t signal_marked(struct str mark, int signum, size_t *undecided)
{
    assert(mark.n > 2 * SUBJECT_BYTES); /* an empty one would match everything */
    struct mark_search s = {mark, signum, buf_make(MAX_ENVIRONMENT), 0, 0};
    platform_each_process(signal_if_marked, &s);
    buf_done(&s.environment);
    if (undecided)
        *undecided = s.undecided;
    return s.found;
}

/* One clean search after a busy one is not enough: a process that it had passed may have been the
 * parent of one with a smaller number. */
static bool kill_marked(struct str mark, uint64_t limit_ms)
{
    const struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000L};
    uint64_t waited = 0;
    bool was_busy = false;
    for (int clean = 0; clean < (was_busy ? 2 : 1);) {
        size_t undecided, found = signal_marked(mark, SIGKILL, &undecided);
        if (!found && !undecided) {
            clean++;
            continue;
        }
        was_busy = true;
        clean = 0;
        if (waited >= limit_ms)
            return !found;
        nanosleep(&pause, NULL);
        waited += PAUSE_MS;
    }
    return true;
}

size_t mark_signal(const char *mark, int signum)
{
    assert(mark_is_valid(mark));
    return signal_marked(str_from(mark), signum, NULL);
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

bool mark_kill_wait(const char *mark, uint64_t limit_ms)
{
    assert(mark_is_valid(mark));
    return kill_marked(str_from(mark), limit_ms);
}

bool mark_kill_subject(const char *mark, uint64_t limit_ms)
{
    assert(mark_is_valid(mark));
    struct str text = str_from(mark);
    return kill_marked(str_head(text, text.n - 2 * SUBJECT_BYTES), limit_ms);
}
