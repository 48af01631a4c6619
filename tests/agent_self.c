/* The program's helper commands for unit tests that start them: `multiverse agent-chat`,
 * `agent-mock` and `supervisor`. */
#include <stdio.h>
#include <string.h>

#include "agent/chat.h"
#include "agent/mock.h"
#include "process/supervisor.h"

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "agent-chat") == 0)
        return chat_main();
    if (argc > 1 && strcmp(argv[1], "agent-mock") == 0)
        return mock_main();
    if (argc > 1 && strcmp(argv[1], SUPERVISOR_COMMAND) == 0)
        return supervisor_main(argv + 2);
    fprintf(stderr, "usage: agent-self agent-chat|agent-mock|supervisor\n");
    return 2;
}
