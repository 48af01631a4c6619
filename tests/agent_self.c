/* The children of the program alone, for unit tests that start them: what `multiverse agent-chat`,
 * `agent-mock` and `agent-guard` do. */
#include <stdio.h>
#include <string.h>

#include "agent/chat.h"
#include "agent/guard.h"
#include "agent/mock.h"

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "agent-chat") == 0)
        return chat_main();
    if (argc > 1 && strcmp(argv[1], "agent-mock") == 0)
        return mock_main();
    if (argc > 1 && strcmp(argv[1], "agent-guard") == 0)
        return guard_main(argc - 2, argv + 2);
    fprintf(stderr, "usage: agent-self agent-chat|agent-mock|agent-guard\n");
    return 2;
}
