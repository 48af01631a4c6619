/* kill-at N COMMAND...: SIGKILL at the entry of the N-th system call. See README.md. */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MAX_THREADS = 64
};

struct thread {
    pid_t id;
    bool inside; /* in a system call: the next stop is its end */
};

static struct thread threads[MAX_THREADS];

static struct thread *thread_of(pid_t id)
{
    for (size_t i = 0; i < MAX_THREADS; i++)
        if (threads[i].id == id)
            return &threads[i];
    for (size_t i = 0; i < MAX_THREADS; i++)
        if (threads[i].id == 0) {
            threads[i].id = id;
            return &threads[i];
        }
    fprintf(stderr, "kill-at: too many threads\n");
    exit(2);
}

static pid_t start_command(char **argv)
{
    pid_t child = fork();
    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        raise(SIGSTOP);
        execvp(argv[0], argv);
        _exit(127);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child)
        exit(2);
    ptrace(PTRACE_SETOPTIONS, child, NULL,
           PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC);
    ptrace(PTRACE_SYSCALL, child, NULL, NULL);
    return child;
}

/* The signal with which a stopped thread continues. */
static int signal_of(int status)
{
    int sig = WSTOPSIG(status);
    bool is_ours = sig == (SIGTRAP | 0x80) || sig == SIGTRAP || sig == SIGSTOP;
    return is_ours ? 0 : sig;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: kill-at N COMMAND...\n");
        return 2;
    }
    long wanted = strtol(argv[1], NULL, 10), made = 0;
    pid_t child = start_command(argv + 2);
    for (;;) {
        int status;
        pid_t id = waitpid(-1, &status, __WALL);
        if (id < 0)
            return 2;
        if (WIFEXITED(status) || WIFSIGNALED(status)) {
            if (id == child) {
                printf("%ld\n", made);
                return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL ? 0 : 3;
            }
            thread_of(id)->id = 0;
            continue;
        }
        struct thread *t = thread_of(id);
        if (WSTOPSIG(status) == (SIGTRAP | 0x80)) {
            t->inside = !t->inside;
            if (t->inside && ++made == wanted) {
                kill(child, SIGKILL);
                continue;
            }
        }
        if (ptrace(PTRACE_SYSCALL, id, NULL, (void *)(long)signal_of(status)) < 0 && errno != ESRCH)
            return 2;
    }
}
