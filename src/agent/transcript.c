#include "agent/transcript.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

bool transcript_open(struct transcript *t, const char *path, const struct secrets *secrets,
                     size_t max, struct error *err)
{
    char text[128];
    if (unlink(path) < 0 && errno != ENOENT)
        return error_set(err, ERR_IO, "cannot replace %s: %s", path,
                         strerror_r(errno, text, sizeof text));
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return error_set(err, ERR_IO, "cannot write %s: %s", path,
                         strerror_r(errno, text, sizeof text));
    *t = (struct transcript){.fd = fd, .secrets = secrets, .max = max};
    return true;
}

/* Return how many bytes were written. */
static size_t write_bytes(const struct transcript *t, struct str bytes)
{
    size_t done = 0;
    while (done < bytes.n) {
        ssize_t n = write(t->fd, bytes.p + done, bytes.n - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    return done;
}

static void flush_masked(struct transcript *t)
{
    size_t room = t->max - t->written, n = t->masked.n, done = 0;
    if (room && !t->left_out)
        done = write_bytes(t, str_head(buf_str(&t->masked), room));
    t->written += done;
    t->left_out += n - done;
    buf_clear(&t->masked);
}

void transcript_add(struct transcript *t, struct str bytes)
{
    if (!t->fd)
        return;
    if (t->left_out) { /* full: only count */
        t->left_out += bytes.n;
        return;
    }
    struct str all = bytes;
    if (t->unmasked.n) {
        buf_add(&t->unmasked, bytes);
        all = buf_str(&t->unmasked);
    }
    size_t done = secrets_mask_part(t->secrets, all, &t->masked);
    if (t->unmasked.n)
        buf_drop(&t->unmasked, done);
    else
        buf_add(&t->unmasked, str_skip(bytes, done));
    flush_masked(t);
}

void transcript_close(struct transcript *t)
{
    char line[96];
    if (t->fd) {
        secrets_mask(t->secrets, buf_str(&t->unmasked), &t->masked);
        flush_masked(t);
        int n = snprintf(line, sizeof line, "\n[%llu bytes more were left out]\n",
                         (unsigned long long)t->left_out);
        if (t->left_out)
            write_bytes(t, str_make(line, (size_t)n));
        close(t->fd);
    }
    t->fd = 0;
    buf_done(&t->unmasked);
    buf_done(&t->masked);
}
