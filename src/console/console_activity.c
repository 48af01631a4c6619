#include "console/console_core.h"

void console_activity_start(struct console *c)
{
    (void)c;
}
