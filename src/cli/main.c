/* The program: all of it is in the table of commands. */
#include <malloc.h>
#include <stdlib.h>

#include "cli/command.h"

/* What was needed for one large message goes back to the system with it; buffers of ordinary
 * answers stay at hand. Left alone, glibc raises both limits with the largest block it has seen. */
enum {
    LARGE_BLOCK = 4 << 20,
    SPARE_BYTES = 8 << 20
};

/* Whoever sets glibc's own variable means it, for example to measure what is really in use. */
static void set(int parameter, int bytes, const char *variable)
{
    if (!getenv(variable))
        mallopt(parameter, bytes);
}

int main(int argc, char **argv)
{
    set(M_MMAP_THRESHOLD, LARGE_BLOCK, "MALLOC_MMAP_THRESHOLD_");
    set(M_TRIM_THRESHOLD, SPARE_BYTES, "MALLOC_TRIM_THRESHOLD_");
    return command_main(argc, argv);
}
