#include "console/console_internal.h"

#include <string.h>

#include "console/files.h"
#include "net/http_server.h"

/* The page needs nothing from elsewhere and nobody needs the page: no other site may frame it, hold
 * a handle of its window or take in its files. */
static const char *const headers[] = {
    "Content-Security-Policy",
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Frame-Options",
    "DENY",
    "Referrer-Policy",
    "no-referrer",
    "Cross-Origin-Opener-Policy",
    "same-origin",
    "Cross-Origin-Resource-Policy",
    "same-origin",
    "Permissions-Policy",
    "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), "
    "magnetometer=(), microphone=(), midi=(), payment=(), publickey-credentials-get=(), serial=(), "
    "usb=(), xr-spatial-tracking=()",
    NULL};

static const char without[] =
    "This program was built without the console page (-Dconsole=disabled). With Node and npm at "
    "hand, `make` builds it in. MCP is at /mcp all the same, and the data of the page below "
    "/api.\n";

static void add(struct console *c, const struct console_file *file, const char *path)
{
    http_server_file(c->o.http, &(struct http_file){
                                    .path = path,
                                    .type = file->type,
                                    .bytes = file->bytes,
                                    .gzip = file->gzip,
                                    .cache = file->is_hashed ? "public, max-age=31536000, immutable"
                                                             : "no-cache",
                                    .headers = headers,
                                    .is_public = true,
                                });
}

bool console_has_page(void)
{
    return console_file_count != 0;
}

void console_page_start(struct console *c)
{
    for (size_t i = 0; i < console_file_count; i++) {
        const struct console_file *file = &console_files[i];
        add(c, file, file->path);
        if (strcmp(file->path, "/index.html") == 0)
            add(c, file, "/");
    }
    if (!console_has_page())
        add(c,
            &(struct console_file){.type = "text/plain; charset=utf-8",
                                   .bytes = {without, sizeof without - 1}},
            "/");
}
