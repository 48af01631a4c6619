/* Random behaviour: directives for each call, and accidents by the clock. The same seed and the
 * same calls give the same choices; the trace records them. */
#include "fake.h"

#include <stdio.h>

static const struct {
    const char *name;
    double normal;
} rows[CHAOS_KIND_COUNT] = {
    [CHAOS_DELAY] = {"delay", 0.25},         [CHAOS_LATE] = {"late", 0.02},
    [CHAOS_TWICE] = {"twice", 0.03},         [CHAOS_HANG] = {"hang", 0.01},
    [CHAOS_WRONGID] = {"wrongid", 0.03},     [CHAOS_GARBAGE] = {"garbage", 0.02},
    [CHAOS_TRUNCATED] = {"truncated", 0.02}, [CHAOS_NORESULT] = {"noresult", 0.01},
    [CHAOS_ERROR] = {"error", 0.03},         [CHAOS_DROP] = {"drop", 0.03},
    [CHAOS_LOSE] = {"lose", 0.02},           [CHAOS_T_DROP] = {"t_drop", 0.02},
    [CHAOS_T_RELOAD] = {"t_reload", 0.01},   [CHAOS_T_COMPILE] = {"t_compile", 0.03},
    [CHAOS_T_SILENT] = {"t_silent", 0.01},
};

/* One of the kinds from..to-1, or CHAOS_KIND_COUNT for none. */
static enum chaos_kind pick_kind(struct chaos *c, enum chaos_kind from, enum chaos_kind to)
{
    double u = rng_unit(&c->rng);
    for (enum chaos_kind k = from; k < to; k++) {
        if (u < c->p[k])
            return k;
        u -= c->p[k];
    }
    return CHAOS_KIND_COUNT;
}

static uint64_t up_to(struct chaos *c, uint64_t ms)
{
    return rng_below(&c->rng, ms + 1);
}

void chaos_choose(struct wire_editor *f, struct directive *d, uint64_t timeout_ms)
{
    struct chaos *c = &f->chaos;
    enum chaos_kind kind = pick_kind(c, CHAOS_DELAY, CHAOS_T_DROP);
    switch (kind) {
    case CHAOS_DELAY:
        d->delay_ms = up_to(c, c->delay_max_ms);
        break;
    case CHAOS_LATE:
        d->delay_ms = timeout_ms + 1 + up_to(c, c->late_extra_ms);
        break;
    case CHAOS_ERROR:
        snprintf(d->error, sizeof d->error, "ERR_FAKE_CHAOS");
        break;
    case CHAOS_TWICE:
    case CHAOS_HANG:
    case CHAOS_WRONGID:
    case CHAOS_GARBAGE:
    case CHAOS_TRUNCATED:
    case CHAOS_NORESULT:
    case CHAOS_DROP:
    case CHAOS_LOSE:
        directive_parse(d, str_from(rows[kind].name));
        break;
    case CHAOS_T_DROP:
    case CHAOS_T_RELOAD:
    case CHAOS_T_COMPILE:
    case CHAOS_T_SILENT:
    case CHAOS_KIND_COUNT:
        return;
    }
    trace_request(f, "chaos", NULL, rows[kind].name);
}

static void on_silence_over(void *ctx)
{
    struct wire_editor *f = ctx;
    f->chaos.made_silent = false;
    wire_set_silent(f, false);
}

static void have_accident(struct wire_editor *f, enum chaos_kind kind)
{
    struct chaos *c = &f->chaos;
    uint64_t ms = up_to(c, c->away_max_ms);
    trace_request(f, "chaos", NULL, rows[kind].name);
    if (kind == CHAOS_T_DROP) {
        wire_leave_for(f, up_to(c, 1) ? STR("rst") : STR("drop"), ms);
    } else if (kind == CHAOS_T_RELOAD) {
        wire_reload(f, ms, up_to(c, 3) > 0, true);
    } else if (kind == CHAOS_T_COMPILE) {
        wire_compile(f, ms);
    } else {
        c->made_silent = true;
        wire_set_silent(f, true);
        timer_start(&c->silence, f->loop, ms, on_silence_over, f);
    }
}

static void on_tick(void *ctx)
{
    struct wire_editor *f = ctx;
    struct chaos *c = &f->chaos;
    timer_start(&c->tick, f->loop, c->tick_ms, on_tick, f);
    enum chaos_kind kind = pick_kind(c, CHAOS_T_DROP, CHAOS_KIND_COUNT);
    bool is_calm = f->open && !f->away && !f->reloading && !f->silent && f->state == FAKE_READY;
    if (kind != CHAOS_KIND_COUNT && is_calm)
        have_accident(f, kind);
}

void chaos_init(struct wire_editor *f)
{
    struct chaos *c = &f->chaos;
    for (size_t k = 0; k < CHAOS_KIND_COUNT; k++)
        c->p[k] = rows[k].normal;
    c->tick_ms = 200;
    c->delay_max_ms = 50;
    c->away_max_ms = 300;
    c->late_extra_ms = 200;
}

void chaos_start(struct wire_editor *f, uint64_t seed)
{
    struct chaos *c = &f->chaos;
    c->on = true;
    rng_seed(&c->rng, seed);
    timer_start(&c->tick, f->loop, c->tick_ms, on_tick, f);
}

void chaos_stop(struct wire_editor *f)
{
    struct chaos *c = &f->chaos;
    c->on = false;
    timer_stop(&c->tick);
    timer_stop(&c->silence);
    if (c->made_silent)
        on_silence_over(f);
}

/* true, false, or an object: seed, probabilities, times. */
bool chaos_set(struct wire_editor *f, const struct json *values)
{
    struct chaos *c = &f->chaos;
    uint64_t seed = f->options.chaos_seed;
    if (!json_is(values, JSON_OBJECT)) {
        if (json_bool(values))
            chaos_start(f, seed);
        else
            chaos_stop(f);
        return true;
    }
    const struct {
        const char *name;
        uint64_t *to;
    } numbers[] = {{"seed", &seed},
                   {"tick_ms", &c->tick_ms},
                   {"delay_max_ms", &c->delay_max_ms},
                   {"away_max_ms", &c->away_max_ms},
                   {"late_extra_ms", &c->late_extra_ms}};
    JSON_EACH (values, key) {
        struct str name = json_str(key);
        bool known = false;
        for (size_t k = 0; k < CHAOS_KIND_COUNT; k++)
            if (str_eq(name, str_from(rows[k].name)))
                known = json_double(key + 1, &c->p[k]);
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
            if (str_eq(name, str_from(numbers[i].name)))
                known = json_u64(key + 1, numbers[i].to);
        if (!known)
            return false;
    }
    chaos_start(f, seed);
    return true;
}
