/* Runs attempts at tasks while a killer hits their processes at random.
 *
 *     build/tests/executor-storm PROGRAM [SECONDS [AT_ONCE [SEED]]]         (5, 6 and any)
 *
 * PROGRAM is `multiverse`. Each task has mocks as agents and a test that takes the task's lock,
 * lets children in other sessions hold it as well, and takes some time. Meanwhile supervisors,
 * runs, mocks and test commands get SIGKILL, SIGTERM or SIGSTOP, and attempts are stopped, lost
 * or lose their lease. At each end:
 *
 *   the lock      is free: no process of the attempt is alive
 *   the mark      is in no environment
 *   the end       was reported once
 *
 * and no test ever found its lock taken. Prints what was killed and how attempts ended.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/id.h"
#include "base/rng.h"
#include "orchestrator/executor_internal.h"
#include "process/supervisor.h"

#define MOST     32u
#define LEASE_MS 3600000

/* Force mode: a killed agent gets no cooldown. */
static const char config[] =
    "{'profiles':[{'id':'p','name':'P','categories':{'meta':{'candidates':[{'tool':'mock'}]}}}],"
    "'force':{'enabled':true,'tool':'mock','model':'m','toolSpecific':{'script':["
    "{'when':{'prompt_has':'plan_task'},'say':'{\\\"acceptance_criteria\\\":[\\\"x\\\"]}'},"
    "{'when':{'prompt_has':'next_action'},'say':'{\\\"decision\\\":\\\"run_worker\\\","
    "\\\"worker_call\\\":{\\\"prompt\\\":\\\"do it\\\"}}'},"
    "{'when':{'prompt_has':'next_action'},'say':'{\\\"decision\\\":\\\"mark_complete\\\"}'},"
    "{'when':{'prompt_has':'completion_assessment'},'say':'{\\\"all_criteria_satisfied\\\":true,"
    "\\\"by_criterion\\\":[{\\\"id\\\":\\\"AC-1\\\",\\\"status\\\":\\\"passed\\\"}]}'},"
    "{'sleep_ms':50,'write':{'a.txt':'x'},'say':'done','repeat':true}]}}}";

enum victim {
    VICTIM_SUPERVISOR,
    VICTIM_RUN,
    VICTIM_GUARD,
    VICTIM_MOCK,
    VICTIM_OTHER,
    VICTIM_COUNT
};

static const char *const victims[VICTIM_COUNT] = {"supervisors", "runs", "guards", "mocks",
                                                  "others"};
static const char *const kinds[] = {"exited",  "signalled", "cancelled",
                                    "stopped", "lost",      "not started"};

struct storm_place {
    struct executor *executor;
    char mark[MARK_SIZE];
    unsigned number;
};

static struct {
    struct loop *loop;
    struct rng rng;
    struct tooling *tooling;
    const char *program;
    char folder[64], home[80];
    struct storm_place places[MOST];
    size_t count, running;
    struct timer killer, end;
    bool is_over;
    uint64_t killed[VICTIM_COUNT], paused, stopped, ends[ATTEMPT_NO_START + 1], fine, faults;
} all;

static void count_fault(const struct storm_place *p, const char *what)
{
    fprintf(stderr, "attempt %zu-%u: %s\n", (size_t)(p - all.places), p->number, what);
    all.faults++;
}

/* ---- attempts */

static void begin_attempt(struct storm_place *p);

static void file_name(char to[96], const struct storm_place *p, const char *what)
{
    snprintf(to, 96, "%s/%s-%zu", all.folder, what, (size_t)(p - all.places));
}

static void check_end(struct storm_place *p)
{
    char lock[96];
    file_name(lock, p, "lock");
    int fd = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) != 0)
        count_fault(p, "a process has its lock");
    close(fd);
    if (mark_signal(p->mark, 0))
        count_fault(p, "a process has its mark");
}

static void on_end(struct executor *e, const struct executor_end *end, void *ctx)
{
    struct storm_place *p = ctx;
    if (p->executor != e)
        count_fault(p, "it ends twice");
    p->executor = NULL;
    check_end(p);
    all.ends[end->end.kind]++;
    all.fine += end->end.kind == ATTEMPT_EXITED && end->end.code == 0;
    all.running--;
    if (!all.is_over)
        begin_attempt(p);
    else if (!all.running)
        loop_stop(all.loop);
}

static void begin_attempt(struct storm_place *p)
{
    char repo[96], lock[96], overlap[96];
    struct buf spec = {0};
    file_name(repo, p, "repo");
    file_name(lock, p, "lock");
    file_name(overlap, p, "overlap");
    mkdir(repo, 0700);
    p->number++;
    buf_printf(&spec,
               "version: 1\ntask: {id: t, repo: %s, prd: x, test: {command: 'exec 9>%s; flock -n "
               "9; r=$?; [ $r != 1 ] || sh %s/who %s >> %s; [ $r = 0 ] || exit 1; (setsid sleep "
               "0.4 &) ; (setsid sh -c \"trap : TERM; sleep 0.3; sleep 0.3\" &) ; sleep "
               "0.%u'}}\nrunner: {mcp: \"off\"}\n",
               repo, lock, all.folder, lock, overlap, (unsigned)rng_below(&all.rng, 5));
    struct transaction_claim claim = {
        .task = p - all.places, .number = p->number, .name = STR("storm"), .spec = buf_str(&spec)};
    struct executor_options o = {.claim = &claim,
                                 .tooling = all.tooling,
                                 .home = all.home,
                                 .self = all.program,
                                 .deadline = supervisor_clock() + LEASE_MS,
                                 .on_end = on_end,
                                 .ctx = p};
    p->executor = executor_start(all.loop, &o);
    memcpy(p->mark, p->executor->mark, sizeof p->mark);
    all.running++;
    buf_done(&spec);
}

/* ---- the killer */

/* Read a file of /proc, with blanks in place of NULs. */
static bool read_proc(int pid, const char *what, char *to, size_t room)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", pid, what);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, to, room - 1);
    if (fd >= 0)
        close(fd);
    for (ssize_t i = 0; i < n; i++)
        to[i] = to[i] ? to[i] : ' ';
    to[n > 0 ? n : 0] = 0;
    return n > 0;
}

static enum victim who_is(int pid)
{
    char line[4096];
    if (!read_proc(pid, "cmdline", line, sizeof line))
        return VICTIM_OTHER;
    return strstr(line, " supervisor -- ") ? VICTIM_SUPERVISOR
           : strstr(line, " agent-mock")   ? VICTIM_MOCK
           : strstr(line, " supervisor ")  ? VICTIM_GUARD
           : strstr(line, " --result ")    ? VICTIM_RUN
                                           : VICTIM_OTHER;
}

static bool is_ours(int pid)
{
    static char text[1 << 16];
    if (!read_proc(pid, "environ", text, sizeof text))
        return false;
    for (size_t i = 0; i < all.count; i++)
        if (all.places[i].executor && strstr(text, all.places[i].mark))
            return true;
    return false;
}

static void kill_process(int pid)
{
    uint64_t how = rng_below(&all.rng, 10);
    if (how < 8) {
        all.killed[who_is(pid)]++;
        kill(pid, SIGKILL);
    } else if (how == 8) {
        all.killed[who_is(pid)]++;
        kill(pid, SIGTERM);
    } else {
        all.paused++;
        kill(pid, SIGSTOP);
    }
}

static void kill_one(void)
{
    int pids[4096];
    size_t n = 0;
    DIR *d = opendir("/proc");
    for (struct dirent *e; d && n < 4096 && (e = readdir(d));) {
        int pid = atoi(e->d_name);
        if (pid > 1 && pid != getpid() && is_ours(pid))
            pids[n++] = pid;
    }
    if (d)
        closedir(d);
    if (n)
        kill_process(pids[rng_below(&all.rng, n)]);
}

static void stop_one(void)
{
    struct executor *e = all.places[rng_below(&all.rng, all.count)].executor;
    if (!e)
        return;
    all.stopped++;
    switch (rng_below(&all.rng, 5)) {
    case 0:
        executor_stop(e, ATTEMPT_CANCELLED);
        break;
    case 1:
        executor_stop(e, ATTEMPT_STOPPED);
        break;
    case 2:
        executor_stop(e, ATTEMPT_STOPPED);
        executor_stop(e, ATTEMPT_STOPPED);
        break;
    case 3:
        executor_stop(e, ATTEMPT_LOST);
        break;
    default:
        executor_hold(e, supervisor_clock() + (int64_t)rng_below(&all.rng, 200));
        break;
    }
}

static void on_killer(void *ctx)
{
    (void)ctx;
    if (rng_below(&all.rng, 6))
        kill_one();
    else
        stop_one();
    timer_start(&all.killer, all.loop, 5 + rng_below(&all.rng, 60), on_killer, NULL);
}

/* Paused processes would never end by themselves. */
static void on_time(void *ctx)
{
    (void)ctx;
    all.is_over = true;
    timer_stop(&all.killer);
    for (size_t i = 0; i < all.count; i++)
        if (all.places[i].executor)
            executor_stop(all.places[i].executor, ATTEMPT_LOST);
}

/* ---- main */

static bool read_config(struct error *err)
{
    struct doc d = {0};
    char *text = str_dup(str_from(config));
    for (char *c = text; *c; c++)
        *c = *c == '\'' ? '"' : *c;
    if (doc_read(&d, str_from(text), &(struct doc_source){"storm", DOC_JSON}, err))
        all.tooling = tooling_read(&d, STR(""), err);
    doc_done(&d);
    free(text);
    return all.tooling != NULL;
}

/* Prints which process has the lock, to find the cause. */
static const char who[] =
    "echo \"at $(date +%T.%N), $$ of $MULTIVERSE_TASK finds $1 taken by\"\n"
    "for p in /proc/[0-9]*; do\n"
    "    ls -l $p/fd 2>/dev/null | grep -q \"$1\" || continue\n"
    "    echo \"$p $(tr '\\0' ' ' <$p/cmdline) $(tr '\\0' '\\n' <$p/environ | grep _TASK)\"\n"
    "    grep -E '^(State|PPid)' $p/status\n"
    "done\n";

static bool prepare_places(const char *program, size_t count, struct error *err)
{
    snprintf(all.folder, sizeof all.folder, "/tmp/multiverse_storm.XXXXXX");
    if (!mkdtemp(all.folder))
        return error_set(err, ERR_IO, "cannot make %s", all.folder);
    snprintf(all.home, sizeof all.home, "%s/home", all.folder);
    setenv("MULTIVERSE_HOME", all.home, 1);
    char path[96];
    snprintf(path, sizeof path, "%s/who", all.folder);
    if (!file_replace(path, str_from(who), 0600, err))
        return false;
    all.program = program;
    all.count = count < 1 ? 1 : count > MOST ? MOST : count;
    all.loop = loop_new();
    return read_config(err);
}

static void print_file(const char *path)
{
    struct buf text = {0};
    if (file_read(path, 1 << 20, &text, NULL))
        fprintf(stderr, "%.*s", STR_ARG(buf_str(&text)));
    buf_done(&text);
}

static void look_for_overlaps(void)
{
    for (size_t i = 0; i < all.count; i++) {
        char path[96];
        file_name(path, &all.places[i], "overlap");
        if (!file_exists(path))
            continue;
        count_fault(&all.places[i], "a test found its lock taken");
        print_file(path);
    }
}

static void print_report(void)
{
    printf("ended:");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        printf(" %llu %s", (unsigned long long)all.ends[i], kinds[i]);
    printf("; %llu complete\nkilled:", (unsigned long long)all.fine);
    for (size_t i = 0; i < VICTIM_COUNT; i++)
        printf(" %llu %s", (unsigned long long)all.killed[i], victims[i]);
    printf("; %llu paused, %llu stopped; %llu faults\n", (unsigned long long)all.paused,
           (unsigned long long)all.stopped, (unsigned long long)all.faults);
}

static void tidy_up(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", all.folder);
    if (system(command) != 0)
        fprintf(stderr, "%s is left\n", all.folder);
}

int main(int argc, char **argv)
{
    struct error err = {0};
    uint64_t seconds = argc > 2 ? strtoull(argv[2], NULL, 10) : 5, seed;
    id_bytes(&seed, sizeof seed);
    if (argc > 4)
        seed = strtoull(argv[4], NULL, 10);
    if (argc < 2 || !prepare_places(argv[1], argc > 3 ? strtoull(argv[3], NULL, 10) : 6, &err)) {
        fprintf(stderr, "%s\n",
                argc < 2 ? "usage: executor-storm PROGRAM [SECONDS [AT_ONCE [SEED]]]" : err.text);
        return 2;
    }
    printf("seed %llu\n", (unsigned long long)seed);
    rng_seed(&all.rng, seed);
    for (size_t i = 0; i < all.count; i++)
        begin_attempt(&all.places[i]);
    on_killer(NULL);
    timer_start(&all.end, all.loop, seconds * 1000, on_time, NULL);
    loop_run(all.loop);
    loop_free(all.loop);
    look_for_overlaps();
    print_report();
    tooling_unref(all.tooling);
    tidy_up();
    return all.faults ? 1 : 0;
}
