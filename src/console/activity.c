/* Requests and jobs of all clients: their part of the feed, and how they are cancelled. */
#include "bridge/activity.h"
#include "console/console_internal.h"

static void put_progress(struct jsonw *w, const struct activity *a)
{
    jsonw_key(w, "progress");
    if (!a->has_progress) {
        jsonw_null(w);
        return;
    }
    jsonw_object(w);
    jsonw_kint(w, "done", a->done);
    jsonw_kint(w, "total", a->total);
    jsonw_kcstr(w, "current", a->current);
    jsonw_end(w);
}

static void put_entry(const struct activity *a, void *ctx)
{
    struct jsonw *w = ctx;
    jsonw_object(w);
    jsonw_key(w, "seq");
    jsonw_uint(w, a->seq);
    jsonw_kcstr(w, "kind", a->kind == ACTIVITY_JOB ? "job" : "request");
    jsonw_kcstr(w, "id", a->id);
    jsonw_kcstr(w, "tool", a->tool);
    jsonw_kcstr(w, "client", a->client);
    jsonw_kcstr(w, "subject", a->subject);
    jsonw_kcstr(w, "state", a->state);
    jsonw_kcstr(w, "reason", a->reason);
    api_put_time(w, "received_at", a->received_at);
    api_put_time(w, "queued_at", a->queued_at);
    api_put_time(w, "started_at", a->started_at);
    api_put_time(w, "ended_at", a->ended_at);
    jsonw_kcstr(w, "outcome", a->outcome);
    jsonw_kcstr(w, "guarantee", a->guarantee);
    jsonw_kcstr(w, "message", a->message);
    jsonw_kcstr(w, "other_id", a->other_id);
    put_progress(w, a);
    jsonw_kbool(w, "can_cancel", a->can_cancel);
    jsonw_end(w);
}

uint64_t console_activity_put_feed(const struct console *c, uint64_t seq, bool reset,
                                   struct jsonw *w)
{
    jsonw_kbool(w, "reset", reset);
    jsonw_key(w, "entries");
    jsonw_array(w);
    seq = activity_each(c->o.bridge, seq, put_entry, w);
    jsonw_end(w);
    jsonw_key(w, "seq");
    jsonw_uint(w, seq);
    return seq;
}

static void on_cancel(struct api *a, void *ctx)
{
    struct console *c = ctx;
    struct error err = {0};
    const char *status;
    struct str id;
    if (!api_text(a, "id", &id))
        return;
    if (!activity_cancel(c->o.bridge, id, &status, &err)) {
        api_fail(a, &err);
        return;
    }
    struct jsonw *w = api_begin(a);
    jsonw_kstr(w, "id", id);
    jsonw_kcstr(w, "status", status);
    api_end(a);
}

void console_activity_start(struct console *c)
{
    api_post(c, "/api/activity/cancel", on_cancel, c);
}
