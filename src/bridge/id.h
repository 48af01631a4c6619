/* The ids of requests, jobs and connections: "req-1a2b3c-17". */
#pragma once

#define BRIDGE_ID_MAX 48 /* bytes, with the NUL */
