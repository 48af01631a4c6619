/* A wrong wall clock, by LD_PRELOAD: adds CLOCK_WRONG_MS to it. The monotonic clocks
 * (CLOCK_MONOTONIC, CLOCK_BOOTTIME) stay correct, as on a machine whose clock was never set. */
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static long long wrong_ms(void)
{
    const char *text = getenv("CLOCK_WRONG_MS");
    return text ? strtoll(text, NULL, 10) : 0;
}

static void shift_time(struct timespec *t)
{
    long long ns = t->tv_nsec + wrong_ms() % 1000 * 1000000;
    t->tv_sec += (time_t)(wrong_ms() / 1000);
    if (ns >= 1000000000)
        t->tv_sec++, ns -= 1000000000;
    if (ns < 0)
        t->tv_sec--, ns += 1000000000;
    t->tv_nsec = (long)ns;
}

int clock_gettime(clockid_t id, struct timespec *t)
{
    static int (*real)(clockid_t, struct timespec *);
    if (!real)
        *(void **)(&real) = dlsym(RTLD_NEXT, "clock_gettime");
    int code = real(id, t);
    if (code == 0 && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE))
        shift_time(t);
    return code;
}

int gettimeofday(struct timeval *restrict tv, void *restrict zone)
{
    struct timespec t;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &t);
    *tv = (struct timeval){.tv_sec = t.tv_sec, .tv_usec = (suseconds_t)(t.tv_nsec / 1000)};
    return 0;
}

time_t time(time_t *out)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    if (out)
        *out = t.tv_sec;
    return t.tv_sec;
}
