#include "base/id.h"

#include <errno.h>
#include <sys/random.h>
#include <sys/types.h>

#include "base/mem.h"

void id_bytes(void *to, size_t n)
{
    char *p = to;
    while (n) {
        ssize_t got = getrandom(p, n, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            mem_die("the system has no random numbers");
        p += got;
        n -= (size_t)got;
    }
}

static char *put_hex(char *to, const uint8_t *bytes, size_t n)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < n; i++) {
        *to++ = digits[bytes[i] >> 4];
        *to++ = digits[bytes[i] & 15];
    }
    return to;
}

void id_new(char to[ID_LEN + 1])
{
    uint8_t bytes[ID_LEN / 2];
    id_bytes(bytes, sizeof bytes);
    *put_hex(to, bytes, sizeof bytes) = 0;
}

void id_uuid(char to[UUID_LEN + 1])
{
    uint8_t b[16];
    id_bytes(b, sizeof b);
    b[6] = (uint8_t)((b[6] & 0x0F) | 0x40); /* version 4 */
    b[8] = (uint8_t)((b[8] & 0x3F) | 0x80); /* variant of RFC 9562 */
    for (size_t i = 0; i < sizeof b; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            *to++ = '-';
        to = put_hex(to, b + i, 1);
    }
    *to = 0;
}
