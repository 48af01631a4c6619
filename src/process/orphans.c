#include "process/orphans.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/id.h"
#include "base/map.h"
#include "process/mark.h"
#include "process/platform.h"
#include "process/supervisor.h"

#define MAX_TEXT (4u << 20)
#define WAIT_MS  10000u

struct mark_census {
    struct map marks; /* each mark that was found; the value: supervised or orphaned */
    struct buf text;
};

static char supervised, orphaned; /* values of the map */

/* Return the variable with a mark of a task, or "". */
static struct str find_task_mark(struct str environment)
{
    struct str variable;
    while (environment.n) {
        str_cut(&environment, 0, &variable);
        if (str_starts(variable, STR(MARK_TASK "=")) && variable.n == sizeof MARK_TASK + ID_LEN)
            return variable;
    }
    return STR("");
}

/* A supervisor of a command, "PROGRAM supervisor -- ...": the other kind also inherits the mark. */
static bool is_supervisor(struct str arguments)
{
    struct str program, command, separator;
    str_cut(&arguments, 0, &program);
    str_cut(&arguments, 0, &command);
    str_cut(&arguments, 0, &separator);
    return str_eq(command, STR(SUPERVISOR_COMMAND)) && str_eq(separator, STR("--"));
}

static void note_mark(int pid, void *ctx)
{
    struct mark_census *census = ctx;
    char mark[MARK_SIZE];
    platform_read_environment(pid, &census->text);
    struct str found = find_task_mark(buf_str(&census->text));
    if (!found.n)
        return;
    memcpy(mark, found.p, found.n); /* the buffer is used again below */
    struct str key = str_make(mark, found.n);
    platform_read_arguments(pid, &census->text);
    if (is_supervisor(buf_str(&census->text)))
        map_set(&census->marks, key, &supervised);
    else if (!map_get(&census->marks, key))
        map_set(&census->marks, key, &orphaned);
}

static void take_census(struct mark_census *census)
{
    census->text = buf_make(MAX_TEXT);
    platform_each_process(note_mark, census);
}

static void census_done(struct mark_census *census)
{
    map_done(&census->marks);
    buf_done(&census->text);
}

static bool has_orphans(const struct mark_census *census)
{
    MAP_EACH (&census->marks, i)
        if (map_value(&census->marks, i) == &orphaned)
            return true;
    return false;
}

/* The mark of the attempt that this process belongs to: in a sandbox its supervisor cannot be
 * seen. */
static bool is_own_mark(const char *mark)
{
    const char *own = getenv(MARK_TASK);
    return own && strcmp(mark + sizeof MARK_TASK, own) == 0;
}

/* Two searches: a supervisor that started during the first one may have been missed while its run
 * was found; the second one finds it. */
size_t orphans_kill(void)
{
    struct mark_census first = {0}, second = {0};
    size_t count = 0;
    take_census(&first);
    if (has_orphans(&first))
        take_census(&second);
    MAP_EACH (&second.marks, i) {
        struct str key = map_key(&second.marks, i);
        char mark[MARK_SIZE];
        snprintf(mark, sizeof mark, "%.*s", STR_ARG(key));
        if (map_value(&second.marks, i) != &orphaned || map_get(&first.marks, key) != &orphaned ||
            !mark_is_valid(mark) || is_own_mark(mark))
            continue;
        mark_kill_wait(mark, WAIT_MS);
        count++;
    }
    census_done(&first);
    census_done(&second);
    return count;
}

static void kill_orphans(void)
{
    orphans_kill();
}

void orphans_kill_once(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, kill_orphans);
}
