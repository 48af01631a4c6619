/* What the editor sends about running work: results, job states, errors, answers to a cancel. */
#pragma once

struct bridge;
struct message;

void editor_replies_receive(struct bridge *b, struct message *m);

/* A message that is not JSON. If it should have been the result of what runs, that has failed. */
void editor_replies_garbled(struct bridge *b, struct message *m, const char *reason);
/* The link ended because a message was larger than the limit. */
void editor_replies_too_big(struct bridge *b);

/* Ask a newly connected editor about the work that was sent over an earlier connection. */
void editor_replies_resume(struct bridge *b);
