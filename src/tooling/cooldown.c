#include "tooling/cooldown.h"

#include <assert.h>
#include <stdio.h>

#include "base/sha256.h"
#include "base/utf8.h"

#define HASH_BYTES 8u
#define HASH_TEXT  (1 + 2 * HASH_BYTES) /* ~0123456789abcdef */

/* The longest name of an agent; a test checks the table. */
#define AGENT_NAME_MAX 20u
_Static_assert(AGENT_NAME_MAX + 2 + 2 * COOLDOWN_PART_MAX < COOLDOWN_KEY_MAX, "a key fits");

static const char digits[] = "0123456789abcdef";

/* ---- keys */

/* Write the first character of *rest as it is in a key, in at most 4 bytes, and skip it. */
static size_t encode_char(struct str *rest, char to[4])
{
    size_t n = utf8_char_bytes(*rest);
    unsigned char c = (unsigned char)rest->p[0];
    if (n == 0 || c < 0x20 || c == 0x7f || c == '|' || c == '*' || c == '%') {
        memcpy(to, (char[]){'%', digits[c >> 4], digits[c & 15]}, 3);
        *rest = str_skip(*rest, 1);
        return 3;
    }
    memcpy(to, rest->p, n);
    *rest = str_skip(*rest, n);
    return n;
}

size_t cooldown_part(struct str part, char out[COOLDOWN_PART_MAX])
{
    struct str rest = part;
    size_t n = 0, cut = 0; /* cut: the length that leaves room for the hash */
    while (rest.n) {
        char c[4];
        size_t more = encode_char(&rest, c);
        if (n + more > COOLDOWN_PART_MAX) {
            uint8_t hash[SHA256_LEN];
            sha256(part, hash);
            out[cut++] = '~';
            for (size_t i = 0; i < HASH_BYTES; i++) {
                out[cut++] = digits[hash[i] >> 4];
                out[cut++] = digits[hash[i] & 15];
            }
            return cut;
        }
        memcpy(out + n, c, more);
        n += more;
        if (n <= COOLDOWN_PART_MAX - HASH_TEXT)
            cut = n;
    }
    return n;
}

void cooldown_key(enum outcome_scope scope, const struct cooldown_who *who,
                  char out[COOLDOWN_KEY_MAX])
{
    assert(scope < SCOPE_COUNT);
    char account[COOLDOWN_PART_MAX] = {'*'}, model[COOLDOWN_PART_MAX] = {'*'};
    size_t account_n = 1, model_n = 1;
    out[0] = 0;
    if (scope == SCOPE_NONE)
        return;
    if (scope != SCOPE_TOOL_MODEL)
        account_n = cooldown_part(who->account, account);
    if (scope != SCOPE_ACCOUNT)
        model_n = cooldown_part(who->model, model);
    int n = snprintf(out, COOLDOWN_KEY_MAX, "%s|%.*s|%.*s", agent_kind_name(who->tool),
                     (int)account_n, account, (int)model_n, model);
    assert(n > 0 && n < COOLDOWN_KEY_MAX);
}

/* ---- durations */

static int64_t add_ms(int64_t t, uint64_t ms)
{
    return t > INT64_MAX - (int64_t)ms ? INT64_MAX : t + (int64_t)ms;
}

/* Milliseconds from now to t, which is later; the difference may be large. */
static uint64_t ms_until(int64_t now, int64_t t)
{
    return (uint64_t)t - (uint64_t)now;
}

/* Is t in the future, and not later than possible? */
static bool is_in_future(int64_t now, int64_t t, uint64_t most)
{
    return t > now && ms_until(now, t) <= most + COOLDOWN_SKEW_MS;
}

static uint64_t double_duration(const struct outcome_row *row, uint32_t failures)
{
    uint64_t ms = row->default_ms;
    if (!row->doubles)
        return ms;
    for (uint32_t i = 1; i < failures && ms < COOLDOWN_DOUBLED_MS; i++)
        ms *= 2;
    return ms < COOLDOWN_DOUBLED_MS ? ms : COOLDOWN_DOUBLED_MS;
}

static uint64_t choose_duration(const struct outcome *o, uint32_t failures, uint64_t least_ms,
                                int64_t now)
{
    const struct outcome_row *row = outcome_row(o->class);
    bool said = o->trust != UNTIL_NONE && o->until > now;
    uint64_t ms = said ? ms_until(now, o->until) : double_duration(row, failures);
    bool limited = o->class == OUTCOME_RATE_LIMITED || o->class == OUTCOME_USAGE_LIMITED;
    if (limited && ms < least_ms)
        ms = least_ms;
    if (said && o->trust == UNTIL_TEXT && ms < COOLDOWN_TEXT_MS)
        ms = COOLDOWN_TEXT_MS;
    uint64_t most = row->most_ms < COOLDOWN_MAX_MS ? row->most_ms : COOLDOWN_MAX_MS;
    return ms < most ? ms : most;
}

enum outcome_scope cooldown_scope(const struct outcome *o)
{
    enum outcome_scope scope = o->blameless ? SCOPE_NONE : outcome_row(o->class)->scope;
    return scope == SCOPE_ACCOUNT && o->model_only ? SCOPE_ACCOUNT_MODEL : scope;
}

bool cooldown_after(const struct outcome *o, const struct cooldown_who *who,
                    const struct cooldown *old, int64_t now, struct cooldown *next)
{
    enum outcome_scope scope = cooldown_scope(o);
    if (scope == SCOPE_NONE)
        return false;
    struct cooldown c = {.class = o->class, .since = now, .failures = 1};
    if (old)
        c.failures = old->failures < UINT32_MAX ? old->failures + 1 : UINT32_MAX;
    c.until = add_ms(now, choose_duration(o, c.failures, who->least_ms, now));
    cooldown_key(scope, who, c.key);
    memcpy(c.evidence, o->evidence, sizeof c.evidence);
    memcpy(c.message, o->message, sizeof c.message);
    if (old && cooldown_state(old, now) == COOLDOWN_ACTIVE) {
        c.since = old->since;
        if (old->until > c.until) { /* the longer one is the reason to show */
            c.until = old->until;
            c.class = old->class;
            memcpy(c.evidence, old->evidence, sizeof c.evidence);
            memcpy(c.message, old->message, sizeof c.message);
        }
    }
    *next = c;
    return true;
}

enum cooldown_state cooldown_state(const struct cooldown *c, int64_t now)
{
    if (!c)
        return COOLDOWN_NONE;
    if (is_in_future(now, c->until, COOLDOWN_MAX_MS))
        return COOLDOWN_ACTIVE;
    if (is_in_future(now, c->probe_until, COOLDOWN_PROBE_MS))
        return COOLDOWN_PROBING;
    return COOLDOWN_DUE;
}

const char *cooldown_state_name(enum cooldown_state state)
{
    static const char *const names[] = {
        [COOLDOWN_NONE] = "free",
        [COOLDOWN_ACTIVE] = "resting",
        [COOLDOWN_DUE] = "due",
        [COOLDOWN_PROBING] = "probing",
    };
    return names[state];
}
