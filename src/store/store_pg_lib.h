/* libpq, loaded when the first store on a server is opened (base/library.h).
 *
 *     if (!store_pg_lib_load(&err)) ...          // ERR_IO: it is not installed
 *     pq.finish(conn);                           // PQfinish()
 */
#pragma once

#include <libpq-fe.h>

#include "base/error.h"

#define STORE_PG_CALLS(X)                                                                          \
    X(clear)                                                                                       \
    X(cmdTuples)                                                                                   \
    X(cmdStatus)                                                                                   \
    X(conninfoFree)                                                                                \
    X(conninfoParse)                                                                               \
    X(connectPoll)                                                                                 \
    X(connectStartParams)                                                                          \
    X(consumeInput)                                                                                \
    X(enterPipelineMode)                                                                           \
    X(errorMessage)                                                                                \
    X(finish)                                                                                      \
    X(flush)                                                                                       \
    X(freemem)                                                                                     \
    X(ftype)                                                                                       \
    X(getResult)                                                                                   \
    X(getisnull)                                                                                   \
    X(getlength)                                                                                   \
    X(getvalue)                                                                                    \
    X(isBusy)                                                                                      \
    X(nfields)                                                                                     \
    X(notifies)                                                                                    \
    X(ntuples)                                                                                     \
    X(pipelineSync)                                                                                \
    X(resultErrorField)                                                                            \
    X(resultErrorMessage)                                                                          \
    X(resultStatus)                                                                                \
    X(sendPrepare)                                                                                 \
    X(sendQuery)                                                                                   \
    X(sendQueryParams)                                                                             \
    X(sendQueryPrepared)                                                                           \
    X(setErrorVerbosity)                                                                           \
    X(setNoticeProcessor)                                                                          \
    X(setnonblocking)                                                                              \
    X(socket)                                                                                      \
    X(status)                                                                                      \
    X(transactionStatus)

struct store_pg_lib {
#define STORE_PG_CALL(name) __typeof__(PQ##name) *name;
    STORE_PG_CALLS(STORE_PG_CALL)
#undef STORE_PG_CALL
};

extern struct store_pg_lib pq;

bool store_pg_lib_load(struct error *err); /* on any thread; only the first call loads */
