/* Passes every file of a folder to the fuzz target once; fails if there is none. */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/file.h"
#include "base/mem.h"

#define INPUT_MAX (16u << 20)

static bool replay_file(const char *folder, const char *name)
{
    struct buf path = {0}, bytes = {0};
    struct error err = {0};

    buf_printf(&path, "%s/%s", folder, name);
    bool ok = file_read(path.p, INPUT_MAX, &bytes, &err);
    if (ok) {
        puts(name);
        fflush(stdout); /* shows the input of a crash */
        /* An exact copy: the buffer's spare byte would hide a read past the end. */
        uint8_t *exact = mem_dup(bytes.p, bytes.n);
        LLVMFuzzerTestOneInput(exact, bytes.n);
        free(exact);
    } else {
        fprintf(stderr, "%s\n", err.text);
    }
    buf_done(&path);
    buf_done(&bytes);
    return ok;
}

int main(int argc, char **argv)
{
    struct dirent **files = NULL;
    size_t count = 0, wrong = 0;

    if (argc != 2) {
        fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    int n = scandir(argv[1], &files, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        if (files[i]->d_name[0] != '.') {
            count++;
            wrong += !replay_file(argv[1], files[i]->d_name);
        }
        free(files[i]);
    }
    free(files);
    printf("%zu inputs\n", count);
    return count == 0 || wrong > 0;
}
