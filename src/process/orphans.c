#include "process/orphans.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/id.h"
#include "base/map.h"
#include "process/mark.h"
#include "process/supervisor.h"

#define MAX_TEXT (4u << 20)
#define LAST_MS  10000u

struct look {
    struct map keepers; /* marks, as in the environment, of those that live; the value says */
    struct buf text;
};

static char has_keeper, has_none; /* values of the map */

static struct str read_proc(struct look *l, const char *pid, const char *what)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%.20s/%s", pid, what);
    buf_clear(&l->text);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    while (fd >= 0) {
        char *room = buf_room(&l->text, 16u << 10);
        ssize_t n = room ? read(fd, room, 16u << 10) : 0;
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        l->text.n += (size_t)n;
    }
    if (fd >= 0)
        close(fd);
    return buf_str(&l->text);
}

/* The variable with the mark; empty: it has none. */
static struct str find_mark(struct str environment)
{
    struct str variable;
    while (environment.n) {
        str_cut(&environment, 0, &variable);
        if (str_starts(variable, STR(MARK_TASK "=")) && variable.n == sizeof MARK_TASK + ID_LEN)
            return variable;
    }
    return STR("");
}

static bool is_keeper(struct str arguments)
{
    struct str program, command;
    str_cut(&arguments, 0, &program);
    str_cut(&arguments, 0, &command);
    return str_eq(command, STR("task-keeper"));
}

static void look_around(struct look *l)
{
    DIR *d = opendir("/proc");
    l->text = buf_make(MAX_TEXT);
    for (struct dirent *e; d && (e = readdir(d));) {
        if (atoi(e->d_name) <= 1 || atoi(e->d_name) == getpid())
            continue;
        struct str found = find_mark(read_proc(l, e->d_name, "environ"));
        if (!found.n)
            continue;
        char copy[MARK_SIZE]; /* what is read next takes its place */
        memcpy(copy, found.p, found.n);
        struct str mark = str_make(copy, found.n);
        if (is_keeper(read_proc(l, e->d_name, "cmdline")))
            map_set(&l->keepers, mark, &has_keeper);
        else if (!map_get(&l->keepers, mark))
            map_set(&l->keepers, mark, &has_none);
    }
    if (d)
        closedir(d);
}

static void look_done(struct look *l)
{
    map_done(&l->keepers);
    buf_done(&l->text);
}

/* The attempt that we are part of ourselves: its keeper may be where we cannot see it, outside of a
 * sandbox. */
static bool is_own(const char *mark)
{
    const char *own = getenv(MARK_TASK);
    return own && strcmp(mark + sizeof MARK_TASK, own) == 0;
}

/* Twice: a keeper that began behind our back, and whose run we then saw, is there the second
 * time. */
size_t orphans_kill(void)
{
    struct look first = {0}, second = {0};
    size_t count = 0;
    look_around(&first);
    bool is_suspicious = false;
    MAP_EACH (&first.keepers, i)
        is_suspicious |= map_value(&first.keepers, i) == &has_none;
    if (is_suspicious)
        look_around(&second);
    MAP_EACH (&second.keepers, i) {
        struct str key = map_key(&second.keepers, i);
        char mark[MARK_SIZE];
        snprintf(mark, sizeof mark, "%.*s", STR_ARG(key));
        if (map_value(&second.keepers, i) != &has_none ||
            map_get(&first.keepers, key) != &has_none || !mark_is_valid(mark) || is_own(mark))
            continue;
        mark_kill_wait(mark, LAST_MS);
        count++;
    }
    look_done(&first);
    look_done(&second);
    return count;
}

static void kill_them(void)
{
    orphans_kill();
}

void orphans_kill_once(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, kill_them);
}
