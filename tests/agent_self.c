/* The program's helper commands for unit tests that start them: `multiverse agent-chat`,
 * `agent-mock` and `agent-warden`. */
#include <stdio.h>
#include <string.h>

#include "agent/chat.h"
#include "agent/mock.h"
#include "process/warden.h"

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "agent-chat") == 0)
        return chat_main();
    if (argc > 1 && strcmp(argv[1], "agent-mock") == 0)
        return mock_main();
    if (argc > 1 && strcmp(argv[1], "agent-warden") == 0)
        return warden_main();
    fprintf(stderr, "usage: agent-self agent-chat|agent-mock|agent-warden\n");
    return 2;
}
