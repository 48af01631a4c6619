/* The program: all of it is in the table of commands. */
#include "cli/command.h"

int main(int argc, char **argv)
{
    return command_main(argc, argv);
}
