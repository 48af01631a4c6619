/* docs/tools.md is generated from the catalog, followed by another file.
 *
 *     tools-md FILE MORE             compares; shows where the first difference is
 *     tools-md --write FILE MORE     writes it
 */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "bridge/catalog.h"

#define MAX_BYTES (4u << 20)

/* The line that contains byte `at`, and its number. */
static struct str line_at(struct str text, size_t at, size_t *number)
{
    struct str line = {0};
    *number = 0;
    for (size_t start = 0; start <= at && text.n; start += line.n + 1, ++*number)
        str_cut(&text, '\n', &line);
    return line;
}

static int compare_file(const char *path, struct str want)
{
    struct buf have = {0};
    struct error err = {0};
    size_t at = 0, number;
    if (!file_read(path, MAX_BYTES, &have, &err)) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    bool same = str_eq(buf_str(&have), want);
    while (!same && at < have.n && at < want.n && have.p[at] == want.p[at])
        at++;
    if (!same) {
        struct str line = line_at(want, at, &number);
        fprintf(stderr,
                "%s is not what its sources say: `meson compile -C build tools-md` writes it "
                "anew. Line %zu would be:\n%.*s\n",
                path, number, STR_ARG(line));
    }
    buf_done(&have);
    return !same;
}

int main(int argc, char **argv)
{
    bool write = argc == 4 && strcmp(argv[1], "--write") == 0;
    struct limits limits;
    struct buf text = {0}, more = {0};
    struct error err = {0};
    int status = 0;
    if (argc != 3 && !write) {
        fprintf(stderr, "usage: %s [--write] FILE MORE\n", argv[0]);
        return 2;
    }
    limits_init(&limits);
    struct catalog *c = catalog_new(&limits);
    catalog_show_markdown(c, &text);
    if (!file_read(argv[argc - 1], MAX_BYTES, &more, &err)) {
        fprintf(stderr, "%s\n", err.text);
        status = 1;
    } else {
        buf_add(&text, STR("\n"));
        buf_add(&text, buf_str(&more));
        if (!write) {
            status = compare_file(argv[1], buf_str(&text));
        } else if (!file_replace(argv[2], buf_str(&text), 0644, &err)) {
            fprintf(stderr, "%s\n", err.text);
            status = 1;
        }
    }
    catalog_free(c);
    buf_done(&text);
    buf_done(&more);
    return status;
}
