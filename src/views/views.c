#include "views/views.h"

#include "base/rfc3339.h"

void views_put_time(struct jsonw *w, const char *key, int64_t at, enum views_form form)
{
    char text[RFC3339_LEN + 1];
    jsonw_key(w, key);
    if (!at) {
        jsonw_null(w);
    } else if (form == VIEWS_API) {
        jsonw_int(w, at);
    } else {
        rfc3339_format(at, text);
        jsonw_cstr(w, text);
    }
}
