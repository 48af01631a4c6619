#include "console/console_internal.h"

#include <string.h>

#include "console/files.h"
#include "net/http_server.h"

/* The page loads nothing from other sites, and no other site may frame it, hold a handle of its
 * window or load its files. */
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

static const char missing_page[] =
    "This program was built without the console page (-Dconsole=disabled). To build it in, install "
    "Node and npm and run `make`. MCP is at /mcp, the data of the page is below /api.\n";

static void add_file(struct console *c, const struct console_file *file, const char *path)
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

static bool has_page(void)
{
    return console_file_count != 0;
}

void console_page_start(struct console *c)
{
    for (size_t i = 0; i < console_file_count; i++) {
        const struct console_file *file = &console_files[i];
        add_file(c, file, file->path);
        if (strcmp(file->path, "/index.html") == 0)
            add_file(c, file, "/");
    }
    if (!has_page())
        add_file(c,
                 &(struct console_file){.type = "text/plain; charset=utf-8",
                                        .bytes = {missing_page, sizeof missing_page - 1}},
                 "/");
}
