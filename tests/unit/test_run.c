#include <stdlib.h>
#include <string.h>

#include "test.h"

/* A test, or with run NULL the fixture of the tests below it. */
struct test_entry {
    const char *file;
    int line;
    struct CMUnitTest test;
};

static struct test_entry *entries;
static size_t entry_count, entry_room;

static void add_entry(const struct test_entry *entry)
{
    if (entry_count == entry_room) {
        entry_room = entry_room ? 2 * entry_room : 64;
        entries = realloc(entries, entry_room * sizeof *entries);
        if (!entries)
            abort();
    }
    entries[entry_count++] = *entry;
}

void test_add(const char *file, int line, const char *name, CMUnitTestFunction run)
{
    add_entry(&(struct test_entry){file, line, {name, run, NULL, NULL, NULL}});
}

void test_add_fixture(const char *file, int line, CMFixtureFunction setup,
                      CMFixtureFunction teardown)
{
    add_entry(&(struct test_entry){file, line, {NULL, NULL, setup, teardown, NULL}});
}

/* The order in which constructors run is up to the compiler; lines are not. */
static int compare_entries(const void *a, const void *b)
{
    const struct test_entry *x = a, *y = b;
    int order = strcmp(x->file, y->file);
    return order ? order : (x->line > y->line) - (x->line < y->line);
}

int test_run(CMFixtureFunction setup, CMFixtureFunction teardown)
{
    if (!entry_count) {
        print_error("no test is registered\n");
        return 1;
    }
    qsort(entries, entry_count, sizeof *entries, compare_entries);
    struct CMUnitTest *tests = calloc(entry_count, sizeof *tests);
    if (!tests)
        abort();
    const struct test_entry *fixture = NULL;
    size_t count = 0;
    for (size_t i = 0; i < entry_count; i++) {
        const struct test_entry *e = &entries[i];
        if (!e->test.test_func) {
            fixture = e;
            continue;
        }
        tests[count] = e->test;
        if (fixture && strcmp(fixture->file, e->file) == 0) {
            tests[count].setup_func = fixture->test.setup_func;
            tests[count].teardown_func = fixture->test.teardown_func;
        }
        count++;
    }
    int failed = _cmocka_run_group_tests("tests", tests, count, setup, teardown);
    free(tests);
    free(entries);
    entries = NULL;
    return failed;
}
