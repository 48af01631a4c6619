/* main(): sets the limits of malloc, then runs the command (command.h). */
#include <malloc.h>
#include <stdlib.h>

#include "cli/command.h"

/* Return the memory of a large message to the system when it is freed; keep that of ordinary
 * answers. By default glibc raises both limits with the largest block it has freed. */
enum {
    LARGE_BLOCK = 4 << 20,
    SPARE_BYTES = 8 << 20
};

/* glibc's own variable has priority, for example to measure what is really in use. */
static void set_parameter(int parameter, int bytes, const char *variable)
{
    if (!getenv(variable))
        mallopt(parameter, bytes);
}

int main(int argc, char **argv)
{
    set_parameter(M_MMAP_THRESHOLD, LARGE_BLOCK, "MALLOC_MMAP_THRESHOLD_");
    set_parameter(M_TRIM_THRESHOLD, SPARE_BYTES, "MALLOC_TRIM_THRESHOLD_");
    return command_main(argc, argv);
}
