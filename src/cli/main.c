/* The program: all of it is in the table of commands. */
#include <malloc.h>

#include "cli/command.h"

/* What was needed for one large message goes back to the system with it; buffers of ordinary
 * answers stay at hand. Left alone, glibc raises both limits with the largest block it has seen. */
enum {
    LARGE_BLOCK = 4 << 20,
    SPARE_BYTES = 8 << 20
};

int main(int argc, char **argv)
{
    mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK);
    mallopt(M_TRIM_THRESHOLD, SPARE_BYTES);
    return command_main(argc, argv);
}
