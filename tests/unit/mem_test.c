#include "base/mem.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "test.h"

TEST(memory_of_zero_bytes_is_not_null)
{
    void *a = mem_alloc(0), *b = mem_zalloc(0), *c = mem_dup(NULL, 0), *d = mem_realloc(NULL, 0);
    assert_non_null(a);
    assert_non_null(b);
    assert_non_null(c);
    assert_non_null(d);
    free(a);
    free(b);
    free(c);
    free(d);
}

TEST(zeroed_memory_is_zero)
{
    char *p = mem_zalloc(1000);
    for (size_t i = 0; i < 1000; i++)
        assert_int_equal(p[i], 0);
    free(p);
}

TEST(a_copy_has_the_same_bytes)
{
    char *p = mem_dup("abc", 3);
    p = mem_realloc(p, 100);
    assert_memory_equal(p, "abc", 3);
    free(p);
}

TEST(growing_keeps_the_items_and_at_least_doubles)
{
    uint32_t *items = NULL;
    size_t cap = 0, growths = 0;
    for (uint32_t i = 0; i < 10000; i++) {
        size_t before = cap;
        mem_grow((void **)&items, &cap, i + 1, sizeof *items);
        assert_true(cap > i);
        if (cap != before) {
            growths++;
            assert_true(cap >= 2 * before);
        }
        items[i] = i;
    }
    for (uint32_t i = 0; i < 10000; i++)
        assert_int_equal(items[i], i);
    assert_true(growths < 15);
    mem_grow((void **)&items, &cap, 1000000, sizeof *items);
    assert_true(cap >= 1000000);
    free(items);
}

/* Runs f in a child and checks that it aborts with one line on stderr. */
static void check_dies(void (*f)(void), const char *line)
{
    int fds[2], status;
    char text[256];
    assert_int_equal(pipe(fds), 0);
    pid_t pid = fork();
    if (pid == 0) {
        signal(SIGABRT, SIG_DFL);
        dup2(fds[1], STDERR_FILENO);
        f();
        _exit(0);
    }
    close(fds[1]);
    ssize_t n = read(fds[0], text, sizeof text);
    close(fds[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    CHECK_CSTR(str_make(text, n < 0 ? 0 : (size_t)n), line);
}

static void die(void)
{
    mem_die("the sky fell");
}

static void grow_beyond_everything(void)
{
    void *items = NULL;
    size_t cap = 0;
    mem_grow(&items, &cap, SIZE_MAX / 4, 16);
}

TEST(a_fatal_error_ends_the_program_with_one_line)
{
    check_dies(die, "multiverse: the sky fell\n");
}

TEST(a_size_that_overflows_ends_the_program)
{
    check_dies(grow_beyond_everything, "multiverse: out of memory\n");
}
