#include "base/library.h"

#include <dlfcn.h>
#include <string.h>

bool library_open(const char *name, const struct library_symbol *symbols, struct error *err)
{
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return error_set(err, ERR_IO, "cannot load %s: %s", name, dlerror());
    for (const struct library_symbol *s = symbols; s->name; s++) {
        void *found = dlsym(handle, s->name);
        if (!found) {
            dlclose(handle);
            return error_set(err, ERR_IO, "cannot use %s: it has no %s", name, s->name);
        }
        memcpy(s->to, &found, sizeof found); /* C has no cast from void * to a function pointer */
    }
    return true;
}
