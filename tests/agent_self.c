/* The children of the program alone, for unit tests that start them: what `multiverse agent-chat`
 * and `multiverse agent-mock` do. */
#include <stdio.h>
#include <string.h>

#include "agent/chat.h"
#include "agent/mock.h"

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "agent-chat") == 0)
        return chat_main();
    if (argc > 1 && strcmp(argv[1], "agent-mock") == 0)
        return mock_main();
    fprintf(stderr, "usage: agent-self agent-chat|agent-mock\n");
    return 2;
}
