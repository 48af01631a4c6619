#include <stdlib.h>

#include "test.h"

int main(void)
{
    setenv("TZ", "UTC", 1);
    return test_run(NULL, NULL);
}
