#include "console/console_core.h"

bool console_has_page(void)
{
    return false;
}

void console_page_start(struct console *c)
{
    (void)c;
}
