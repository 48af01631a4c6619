/* Repeated calls: a client_request_id makes a tool that changes something run once.
 *
 * The key is the tool and the id, for all clients, because a retry often comes over another
 * connection. The same id with other arguments is refused. A call that certainly was not executed
 * is forgotten, so that a retry can run. A repeated submission gets the job of the first one in its
 * present state.                                              Spec: docs/spec/10-bridge.md, 9.
 */
#pragma once

#include "bridge/request.h"

/* Return true if the request joined an earlier one, got its answer, or was refused. */
bool dedupe_join(struct request *r);
void dedupe_end(struct request *r, struct str answer, const struct failure *f);
void dedupe_accept_job(struct request *r); /* a repeat gets this job */
void dedupe_free_all(struct bridge *b);
