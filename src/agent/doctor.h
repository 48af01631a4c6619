/* Which agents a configuration needs and whether they work, for `tooling doctor` and the child
 * `multiverse agent-doctor`, which checks one candidate.
 *
 *     struct doctor_entry all[DOCTOR_MAX];
 *     size_t count = doctor_list_candidates(tooling, DOCTOR_ACTIVE, all);
 *     provider_doctor(all[0].candidate, &all[0].health); // blocks for 100 ms to 40 s
 *
 * An event loop starts a child for each candidate instead, which it can kill:
 *
 *     doctor_write_request(candidate, &text);            // its standard input
 *     doctor_read_reply(output, &health);                // its standard output
 *
 * The request contains the candidate's env, so it is sent through a pipe, not in argv. The reply
 * contains no value of it.
 */
#pragma once

#include "agent/provider.h"

struct jsonw;

#define DOCTOR_MAX        64u
#define DOCTOR_MAX_ANSWER (16u << 10)

struct doctor_entry {
    const struct candidate *candidate;
    struct provider_health health;
    bool categories[CATEGORY_COUNT]; /* where the active profile uses it */
};

enum doctor_scope {
    DOCTOR_ACTIVE, /* of the active profile and force: distinct programs and envs */
    DOCTOR_ALL     /* of all profiles and force: distinct programs and accounts */
};

/* List the distinct candidates, at most DOCTOR_MAX, and return their number. In force mode the last
 * one of DOCTOR_ACTIVE is the forced candidate, even if it is a duplicate. */
size_t doctor_list_candidates(const struct tooling *t, enum doctor_scope scope,
                              struct doctor_entry all[DOCTOR_MAX]);
struct str doctor_account(const struct candidate *c); /* as in the ledger */

/* Write members of the open object: found, path, version, account, signed_in, usable. */
void doctor_write_health(struct jsonw *w, const struct provider_health *h, struct str account);

void doctor_write_request(const struct candidate *c, struct buf *out);
/* Return false if the text is not a reply. */
bool doctor_read_reply(struct str answer, struct provider_health *out);
int doctor_main(void); /* the child */
