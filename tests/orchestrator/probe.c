/* The program that the tasks of the chaos run; it records what really happened: README.md.
 *
 *     task-probe test FOLDER TASK SLEEP_MS FAILS [NEEDED...]    the test command of a task
 *     PROBE="FOLDER TASK LINES WIDTH SLEEP_MS FLAGS" task-probe ...   an agent (as Claude Code)
 *
 * FOLDER/record gets a line for each event, in one write: nanoseconds, what, task, phase, pid, and
 * the mark of the attempt. FOLDER/lock/TASK is held all the time: a process that does not get it
 * was not alone. FOLDER/done/TASK exists once the test has passed; FOLDER/fails/TASK grows by a
 * byte with each planned failure (FAILS -1: it always fails; -2: it ends only when FOLDER/free/TASK
 * exists). Once FOLDER/mended exists, all tests pass.
 *
 * The agent prints numbered lines, so that gaps in a log can be found. Flags: d leaves a child
 * behind that has a session of its own and ignores SIGTERM; i ignores SIGTERM itself.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

struct probe {
    const char *folder, *task, *phase;
};

static void pause_ms(long ms)
{
    struct timespec left = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        continue;
}

static void record_event(const struct probe *p, const char *what, const char *more)
{
    char path[4096], line[1024];
    struct timespec now;
    const char *mark = getenv("MULTIVERSE_TASK");
    clock_gettime(CLOCK_BOOTTIME, &now);
    snprintf(path, sizeof path, "%s/record", p->folder);
    int n = snprintf(line, sizeof line, "%lld %s %s %s %d %s %s\n",
                     (long long)now.tv_sec * 1000000000 + now.tv_nsec, what, p->task, p->phase,
                     (int)getpid(), mark && mark[0] ? mark : "-", more);
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || n >= (int)sizeof line || write(fd, line, (size_t)n) != n) {
        perror(path);
        exit(99);
    }
    close(fd);
}

/* Not closed on purpose: the lock is held until the last of our children ends. */
static void lock_task(const struct probe *p)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/lock/%s", p->folder, p->task);
    int fd = open(path, O_RDWR | O_CREAT, 0600);
    if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) != 0)
        record_event(p, "overlap", strerror(errno));
}

static long count_failures(const struct probe *p, bool grow)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/fails/%s", p->folder, p->task);
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    long size = fd < 0 ? 0 : (long)lseek(fd, 0, SEEK_END);
    if (grow && fd >= 0 && write(fd, "x", 1) != 1)
        perror(path);
    if (fd >= 0)
        close(fd);
    return size;
}

static void look_for(const struct probe *p, const char *needed)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/done/%s", p->folder, needed);
    if (access(path, F_OK) != 0)
        record_event(p, "early", needed);
}

/* From then on all tests pass. */
static bool is_mended(const struct probe *p)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/mended", p->folder);
    return access(path, F_OK) == 0;
}

static bool is_free(const struct probe *p)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/free/%s", p->folder, p->task);
    return access(path, F_OK) == 0 || is_mended(p);
}

static int run_test(int argc, char **argv)
{
    struct probe p = {.folder = argv[2], .task = argv[3], .phase = "test"};
    long ms = strtol(argv[4], NULL, 10), fails = strtol(argv[5], NULL, 10);
    lock_task(&p);
    record_event(&p, "start", "");
    for (int i = 6; i < argc; i++)
        look_for(&p, argv[i]);
    do
        pause_ms(ms);
    while (fails == -2 && !is_free(&p));
    if (!is_mended(&p) && (fails == -1 || count_failures(&p, false) < fails)) {
        count_failures(&p, true);
        record_event(&p, "end", "bad");
        return 1;
    }
    char path[4096];
    snprintf(path, sizeof path, "%s/done/%s", p.folder, p.task);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return 99;
    close(fd);
    record_event(&p, "end", "good");
    return 0;
}

static void leave_child(const struct probe *p)
{
    if (fork() != 0)
        return;
    setsid();
    signal(SIGTERM, SIG_IGN);
    struct probe child = {.folder = p->folder, .task = p->task, .phase = "child"};
    record_event(&child, "start", "");
    pause_ms(600000);
    record_event(&child, "outlived", "");
    _exit(0);
}

static int run_agent(char *text)
{
    const char *word[6];
    for (int i = 0; i < 6; i++)
        word[i] = strsep(&text, " ");
    if (!word[5])
        return 98;
    struct probe p = {.folder = word[0], .task = word[1], .phase = "agent"};
    long lines = strtol(word[2], NULL, 10), ms = strtol(word[4], NULL, 10);
    int width = (int)strtol(word[3], NULL, 10);
    if (strchr(word[5], 'i'))
        signal(SIGTERM, SIG_IGN);
    lock_task(&p);
    record_event(&p, "start", "");
    if (strchr(word[5], 'd'))
        leave_child(&p);
    printf("{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"s\",\"model\":\"%s\"}\n",
           p.task);
    for (long i = 1; i <= lines; i++) {
        printf("{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"text\",\"text\":"
               "\"said %s %ld of %ld %0*d\"}]}}\n",
               p.task, i, lines, width, 0);
        fflush(stdout);
        pause_ms(ms / lines);
    }
    record_event(&p, "end", "good");
    printf("{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"done\","
           "\"total_cost_usd\":0.01,\"usage\":{\"input_tokens\":7,\"output_tokens\":5}}\n");
    return 0;
}

int main(int argc, char **argv)
{
    const char *setting = getenv("PROBE");
    if (argc > 5 && strcmp(argv[1], "test") == 0)
        return run_test(argc, argv);
    if (setting) {
        char *text = strdup(setting);
        int code = text ? run_agent(text) : 98;
        free(text);
        return code;
    }
    fprintf(stderr, "task-probe: see the head of probe.c\n");
    return 2;
}
