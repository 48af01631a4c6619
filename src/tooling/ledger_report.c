#include "base/buf.h"
#include "base/utf8.h"
#include "tooling/ledger_internal.h"

#define NEAR_MS 3600000 /* how long a limit is near if the provider names no time */

struct ledger_reporting {
    const struct decision *d;
    const struct ledger_result *result;
    struct cooldown_who who;
    struct decision after; /* as it will be after the report; borrows from d */
};

/* A run that was chosen before the cooldown began knows nothing of it. */
static bool began_before(const struct ledger_reporting *r, const struct cooldown *c)
{
    return r->d->at < c->since && c->since <= ledger_later(r->result->now, COOLDOWN_SKEW_MS);
}

/* Update the row of one key: change, delete or keep it. */
static bool settle_key(struct store *s, const struct ledger_reporting *r, enum outcome_scope scope,
                       struct ledger_cooldown *row, struct error *err)
{
    const struct outcome *o = &r->after.outcome;
    struct cooldown *old = &row->c;
    bool mine = row->is_there && row->probe_by == r->d->id &&
                old->probe_until == ledger_later(r->d->at, COOLDOWN_PROBE_MS);
    if (mine)
        old->probe_until = row->probe_by = 0;
    /* While another run probes, only its outcome decides: no other run may be chosen meanwhile. */
    bool is_probed = row->is_there && cooldown_state(old, r->result->now) == COOLDOWN_PROBING;
    if (o->class == OUTCOME_OK) {
        if (!row->is_there || (!mine && (is_probed || began_before(r, old))))
            return true;
        row->is_there = false;
        return ledger_rows_drop_cooldown(s, str_from(old->key), NULL, err);
    }
    struct cooldown next;
    if (scope != cooldown_scope(o) || r->d->forced)
        return !mine || ledger_rows_put_cooldown(s, row, err);
    if (row->is_there && !mine && began_before(r, old) && old->failures)
        old->failures--;
    if (!cooldown_after(o, &r->who, row->is_there ? old : NULL, r->result->now, &next))
        return true;
    /* the probe of another process goes on */
    next.probe_until = row->is_there ? old->probe_until : 0;
    row->is_there = true;
    row->c = next;
    return ledger_rows_put_cooldown(s, row, err);
}

static bool settle_keys(struct store *s, struct ledger_reporting *r, struct error *err)
{
    int64_t now = r->result->now;
    r->after.until = 0;
    for (size_t k = 0; k < LEDGER_SCOPES; k++) {
        char key[COOLDOWN_KEY_MAX];
        struct ledger_cooldown row;
        cooldown_key(ledger_scopes[k], &r->who, key);
        if (!ledger_rows_get_cooldown(s, str_from(key), &row, err) ||
            !settle_key(s, r, ledger_scopes[k], &row, err))
            return false;
        if (!r->d->forced && row.is_there && cooldown_state(&row.c, now) == COOLDOWN_ACTIVE &&
            row.c.until > r->after.until)
            r->after.until = row.c.until;
    }
    return true;
}

static bool record_warning(struct store *s, const struct ledger_reporting *r, struct error *err)
{
    const struct outcome_warning *w = r->result->warning;
    int64_t now = r->result->now, most = ledger_later(now, (int64_t)COOLDOWN_MAX_MS);
    if (!w || !(w->used > 0))
        return true;
    struct ledger_near near = {.used = w->used < 1 ? w->used : 1, .until = w->resets_at};
    if (w->resets_at == 0)
        near.until = ledger_later(now, NEAR_MS);
    else if (w->resets_at > most)
        near.until = most;
    memcpy(near.window, w->window, sizeof near.window - 1);
    char account[COOLDOWN_KEY_MAX];
    cooldown_key(SCOPE_ACCOUNT, &r->who, account);
    return ledger_rows_put_near(s, str_from(account), &near, err);
}

static bool record_report(struct store *s, void *ctx, struct error *err)
{
    struct ledger_reporting *r = ctx;
    if (!settle_keys(s, r, err) || !record_warning(s, r, err) ||
        !ledger_rows_tidy(s, r->result->now, err))
        return false;
    struct buf json = {0};
    decision_write(&r->after, &json);
    bool ok =
        ledger_rows_set_note(s, &(struct ledger_note){r->d->id, r->d->at, buf_str(&json)}, err) &&
        ledger_tell(s, err);
    buf_done(&json);
    return ok;
}

/* Make it one line of valid text, whatever a provider sent. */
static void clean_text(char *text, size_t size)
{
    text[size - 1] = 0;
    struct str rest = str_from(text);
    while (rest.n) {
        size_t n = utf8_char_bytes(rest);
        char *at = text + (rest.p - text);
        if (n == 0)
            *at = '?';
        else if ((unsigned char)*at < 0x20 || *at == 0x7f)
            *at = ' ';
        rest = str_skip(rest, n ? n : 1);
    }
}

bool ledger_report(struct ledger *l, struct decision *d, const struct ledger_result *result,
                   int64_t *until, struct error *err)
{
    if (!d->id || !d->chosen || d->has_outcome)
        return error_set(err, ERR_INVALID_REQUEST, "this decision has nothing to report");
    struct ledger_reporting r = {.d = d, .result = result, .after = *d};
    const struct decision_candidate *chosen = &d->candidates[d->index];
    r.who = (struct cooldown_who){chosen->tool, chosen->model, chosen->account, d->cooldown_ms};
    r.after.has_outcome = true;
    r.after.outcome = *result->outcome;
    r.after.reported_at = result->now;
    clean_text(r.after.outcome.evidence, sizeof r.after.outcome.evidence);
    clean_text(r.after.outcome.message, sizeof r.after.outcome.message);
    if (!ledger_run(l, STORE_WRITE, record_report, &r, err))
        return false;
    *d = r.after;
    if (until)
        *until = d->until;
    return true;
}
