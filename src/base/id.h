/* Unguessable ids: from the system's random source, never from a seed. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define ID_LEN   32 /* hexadecimal digits: 128 bits */
#define UUID_LEN 36

void id_bytes(void *to, size_t n);   /* n random bytes */
void id_new(char to[ID_LEN + 1]);    /* "9f86d081884c7d659a2feaa0c55ad015" */
void id_uuid(char to[UUID_LEN + 1]); /* version 4, lower case */
