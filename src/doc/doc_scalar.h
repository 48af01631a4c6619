/* The meaning of a plain (unquoted) YAML scalar in the core schema of YAML 1.2.
 *
 *     enum doc_scalar kind = doc_scalar_kind(STR("0x1F"));  // DOC_SCALAR_INT
 *     kind = doc_scalar_kind(STR("yes"));       // DOC_SCALAR_TEXT: a boolean only in YAML 1.1
 *     doc_scalar_number(&out, STR("+.50"));     // adds 0.50
 */
#pragma once

#include "base/buf.h"
#include "base/str.h"

enum doc_scalar {
    DOC_SCALAR_TEXT,
    DOC_SCALAR_NULL, /* also an empty scalar */
    DOC_SCALAR_TRUE,
    DOC_SCALAR_FALSE,
    DOC_SCALAR_INT,
    DOC_SCALAR_FLOAT,
    DOC_SCALAR_NOT_FINITE /* .inf, .nan: JSON has no such numbers */
};

enum doc_scalar doc_scalar_kind(struct str plain);

/* Add an INT or FLOAT as a JSON number. Return false if a hexadecimal or octal number has more than
 * 64 bits. */
bool doc_scalar_number(struct buf *out, struct str plain);
