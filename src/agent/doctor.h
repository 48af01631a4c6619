/* Which agents a configuration needs, and how each of them is: `tooling doctor`, and the child
 * `multiverse agent-doctor`, which looks at one.
 *
 *     struct doctor_entry all[DOCTOR_MAX];
 *     size_t count = doctor_list_candidates(tooling, DOCTOR_ACTIVE, all);
 *     provider_doctor(all[0].candidate, &all[0].health);      // blocking: some 100 ms, or 40 s
 *
 * Who must not wait starts a child for each, which can be killed:
 *
 *     doctor_write_request(candidate, &text);                           // its standard input
 *     doctor_read_reply(output, &health);                           // what it says
 *
 * What is asked holds the candidate's env, so it goes through a pipe, never into argv. What is
 * answered holds no value of it.
 */
#pragma once

#include "agent/provider.h"

struct jsonw;

#define DOCTOR_MAX        64u
#define DOCTOR_MAX_ANSWER (16u << 10)

struct doctor_entry {
    const struct candidate *candidate;
    struct provider_health health;
    bool categories[CATEGORY_COUNT]; /* of the active profile: where it is a candidate */
};

enum doctor_scope {
    DOCTOR_ACTIVE, /* of the active profile, and force: those that differ in program or env */
    DOCTOR_ALL     /* of all profiles, and force: those that differ in program or account */
};

/* Those behind DOCTOR_MAX are left out. In force mode the last one is the forced one, of
 * DOCTOR_ACTIVE, be it there already or not. */
size_t doctor_list_candidates(const struct tooling *t, enum doctor_scope scope,
                              struct doctor_entry all[DOCTOR_MAX]);
struct str doctor_account(const struct candidate *c); /* as the ledger names it */

/* Members of the open object: found, path, version, account, signed_in, usable. */
void doctor_write_health(struct jsonw *w, const struct provider_health *h, struct str account);

void doctor_write_request(const struct candidate *c, struct buf *out);
bool doctor_read_reply(struct str answer, struct provider_health *out); /* false: it is none */
int doctor_main(void);                                                  /* of the child */
