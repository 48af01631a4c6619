/* Runs a fuzz target over each file of a directory: replay_<name> <directory>. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "fuzz.h"

/* In memory of exactly its size, so that a sanitizer sees a step beyond the end. */
static int replay(const char *dir, const char *name)
{
    char path[4096];
    int n = snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = n > 0 && (size_t)n < sizeof path ? fopen(path, "rb") : NULL;
    if (!f || fseek(f, 0, SEEK_END) != 0 || ftell(f) < 0) {
        perror(name);
        return 1;
    }
    size_t size = (size_t)ftell(f);
    rewind(f);
    uint8_t *data = mem_alloc(size);
    int failed = fread(data, 1, size, f) != size;
    fclose(f);
    fprintf(stderr, "%s\n", name);
    if (!failed)
        LLVMFuzzerTestOneInput(data, size);
    free(data);
    return failed;
}

int main(int argc, char **argv)
{
    DIR *dir = argc == 2 ? opendir(argv[1]) : NULL;
    int files = 0, failed = 0;
    if (!dir) {
        fprintf(stderr, "usage: replay <directory>\n");
        return 2;
    }
    for (struct dirent *e; (e = readdir(dir));) {
        if (e->d_name[0] == '.')
            continue;
        failed |= replay(argv[1], e->d_name);
        files++;
    }
    closedir(dir);
    return failed || files == 0;
}
