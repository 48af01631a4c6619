#include "tooling/decision.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/jsonw.h"
#include "base/rfc3339.h"
#include "base/utf8.h"

#define TEXT_MAX 256u /* bytes of a name that are kept: a configuration may have longer ones */

#define SECOND 1000ull
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)

void decision_free(struct decision *d)
{
    if (!d)
        return;
    tooling_unref(d->tooling);
    arena_done(&d->arena);
    free(d);
}

/* ---- why */

/* "in cooldown until T: rate_limited (evidence)" */
static struct str describe_cooldown(const struct cooldown *c, struct arena *a)
{
    char until[RFC3339_LEN + 1];
    rfc3339_format(c->until, until);
    return arena_printf(a, "in cooldown until %s: %s%s%s%s", until, outcome_name(c->class),
                        c->evidence[0] ? " (" : "", c->evidence, c->evidence[0] ? ")" : "");
}

static struct str describe_probe(const struct cooldown *c, struct arena *a)
{
    char until[RFC3339_LEN + 1];
    rfc3339_format(c->probe_until, until);
    return arena_printf(a, "being probed after its cooldown (%s), at the latest until %s",
                        outcome_name(c->class), until);
}

static struct str describe_near(const struct decision_facts *f, struct arena *a)
{
    char until[RFC3339_LEN + 1];
    rfc3339_format(f->near_until, until);
    return arena_printf(a, "near its limit: %d %%%s%s used, until %s",
                        (int)(f->near_used * 100 + 0.5), *f->near_window ? " of " : "",
                        f->near_window, until);
}

static struct str describe_tried(const struct decision_facts *f, struct arena *a)
{
    if (f->state == COOLDOWN_ACTIVE)
        return arena_printf(a, "tried in this call, %.*s",
                            STR_ARG(describe_cooldown(f->cooldown, a)));
    return STR("tried in this call");
}

static struct str describe_reason(const struct decision_facts *f, struct arena *a)
{
    switch (f->out) {
    case SELECT_DISABLED:
        return STR("disabled: its weight is 0");
    case SELECT_TRIED:
        return describe_tried(f, a);
    case SELECT_UNAVAILABLE:
        return *f->unavailable ? arena_str(a, str_from(f->unavailable)) : STR("not available here");
    case SELECT_COOLDOWN:
        return describe_cooldown(f->cooldown, a);
    case SELECT_PROBING:
        return describe_probe(f->cooldown, a);
    case SELECT_NEAR:
        return describe_near(f, a);
    case SELECT_IN:
    case SELECT_OUT_COUNT:
        break;
    }
    return STR("");
}

/* A disabled or missing candidate does not come back by itself, whatever its cooldown. */
static bool is_temporary(const struct decision_facts *f)
{
    return f->out == SELECT_TRIED || f->out == SELECT_COOLDOWN || f->out == SELECT_PROBING;
}

static int64_t time_back(const struct decision_facts *f)
{
    if (!is_temporary(f))
        return 0;
    if (f->state == COOLDOWN_ACTIVE)
        return f->cooldown->until;
    return f->state == COOLDOWN_PROBING ? f->cooldown->probe_until : 0;
}

void decision_explain(struct decision_candidate *c, const struct decision_facts *f, struct arena *a)
{
    c->out = f->out;
    c->why = describe_reason(f, a);
    c->back_at = time_back(f);
    c->cooldown = is_temporary(f) && f->state != COOLDOWN_NONE ? f->cooldown->class : OUTCOME_OK;
}

/* ---- nobody */

static bool is_named_alike(const struct decision *d, size_t i)
{
    const struct decision_candidate *c = d->candidates;
    for (size_t k = 0; k < d->count; k++)
        if (k != i && c[k].tool == c[i].tool && str_eq(c[k].model, c[i].model))
            return true;
    return false;
}

static void put_candidate(const struct decision *d, size_t i, struct buf *out)
{
    const struct decision_candidate *c = &d->candidates[i];
    buf_printf(out, "%s%s%.*s", agent_kind_name(c->tool), c->model.n ? " " : "", STR_ARG(c->model));
    if (is_named_alike(d, i))
        buf_printf(out, " (%.*s)", STR_ARG(c->account));
    buf_printf(out, ": %.*s", STR_ARG(c->why));
}

static void put_wait(unsigned long long ms, struct buf *out)
{
    if (ms < MINUTE)
        buf_printf(out, "in %llu s", (ms + SECOND - 1) / SECOND);
    else if (ms < HOUR)
        buf_printf(out, "in %llu min", (ms + MINUTE - 1) / MINUTE);
    else if (ms < 2 * DAY)
        buf_printf(out, "in %llu h %llu min", ms / HOUR, ms % HOUR / MINUTE);
    else
        buf_printf(out, "in %llu days", ms / DAY);
}

/* "at 12:30:00Z (in 4 min)", with the date if it is not today. */
static void put_time_back(int64_t at, int64_t now, struct buf *out)
{
    char when[RFC3339_LEN + 1], today[RFC3339_LEN + 1];
    rfc3339_format(at, when);
    rfc3339_format(now, today);
    bool same_day = memcmp(when, today, sizeof "2026-11-16") == 0;
    size_t date = sizeof "2026-11-16", seconds = sizeof "2026-11-16T12:30:00" - 1;
    struct str time = str_skip(str_make(when, seconds), same_day ? date : 0);
    buf_printf(out, "at %.*sZ (", STR_ARG(time));
    if (at > now)
        put_wait((uint64_t)at - (uint64_t)now, out);
    else
        buf_add(out, STR("now"));
    buf_add_char(out, ')');
}

void decision_say_nobody(const struct decision *d, int64_t now, struct buf *out)
{
    buf_printf(out, "no candidate for %.*s", STR_ARG(d->category));
    if (d->count == 0) {
        buf_add(out, STR(": none is configured"));
        return;
    }
    for (size_t i = 0; i < d->count; i++) {
        buf_add(out, i ? STR("; ") : STR(": "));
        put_candidate(d, i, out);
    }
    if (d->back_at) {
        buf_add(out, STR("; the first is back "));
        put_time_back(d->back_at, now, out);
    } else {
        buf_add(out, STR("; none of them comes back by itself: ask multiverse tooling doctor"));
    }
}

/* ---- JSON */

static void write_time(struct jsonw *w, const char *key, int64_t ms)
{
    char text[RFC3339_LEN + 1];
    jsonw_key(w, key);
    if (ms == 0) {
        jsonw_null(w);
        return;
    }
    rfc3339_format(ms, text);
    jsonw_cstr(w, text);
}

static void write_text(struct jsonw *w, const char *key, struct str text)
{
    jsonw_kstr(w, key, utf8_head(text, TEXT_MAX));
}

static void write_who(struct jsonw *w, const struct decision_candidate *c)
{
    jsonw_kcstr(w, "tool", agent_kind_name(c->tool));
    write_text(w, "model", c->model);
    write_text(w, "account", c->account);
}

static void write_candidate(struct jsonw *w, const struct decision_candidate *c)
{
    jsonw_object(w);
    write_who(w, c);
    jsonw_key(w, "weight");
    jsonw_double(w, c->weight);
    jsonw_kcstr(w, "out", select_out_name(c->out));
    jsonw_kstr(w, "why", c->why);
    write_time(w, "back_at", c->back_at);
    jsonw_end(w);
}

static void write_choice(struct jsonw *w, const struct decision *d)
{
    jsonw_key(w, "draw");
    if (d->draw >= 0)
        jsonw_double(w, d->draw);
    else
        jsonw_null(w);
    jsonw_key(w, "share");
    jsonw_double(w, d->share);
    jsonw_kbool(w, "probe", d->is_probe);
    jsonw_key(w, "choice");
    if (d->index == SELECT_NOBODY) {
        jsonw_null(w);
        jsonw_kcstr(w, "tool", NULL);
        jsonw_kcstr(w, "model", NULL);
    } else {
        const struct decision_candidate *c = &d->candidates[d->index];
        jsonw_object(w);
        jsonw_kint(w, "index", (int64_t)d->index);
        write_who(w, c);
        jsonw_end(w);
        jsonw_kcstr(w, "tool", agent_kind_name(c->tool)); /* short form for simple readers */
        write_text(w, "model", c->model);
    }
    write_time(w, "back_at", d->back_at);
}

static void write_outcome(struct jsonw *w, const struct decision *d)
{
    jsonw_key(w, "outcome");
    if (!d->has_outcome) {
        jsonw_null(w);
        return;
    }
    jsonw_object(w);
    write_time(w, "time", d->reported_at);
    jsonw_kcstr(w, "class", outcome_name(d->outcome.class));
    jsonw_kcstr(w, "evidence", d->outcome.evidence);
    jsonw_kcstr(w, "message", d->outcome.message);
    write_time(w, "until", d->until);
    jsonw_end(w);
}

void decision_write(const struct decision *d, struct buf *out)
{
    struct jsonw w = jsonw_make(out);
    jsonw_object(&w);
    jsonw_kint(&w, "id", d->id);
    write_time(&w, "time", d->at);
    write_text(&w, "run", d->run);
    write_text(&w, "category", d->category);
    write_text(&w, "used", d->used);
    write_text(&w, "profile", d->profile);
    jsonw_kcstr(&w, "strategy", tooling_strategy_name(d->strategy));
    jsonw_kbool(&w, "forced", d->forced);
    jsonw_kbool(&w, "fallback", d->fallback);
    jsonw_key(&w, "candidates");
    jsonw_array(&w);
    for (size_t i = 0; i < d->count; i++)
        write_candidate(&w, &d->candidates[i]);
    jsonw_end(&w);
    write_choice(&w, d);
    write_outcome(&w, d);
    jsonw_end(&w);
}
