/* The link over WebSocket: an editor connects to a path of the HTTP server.
 *
 *     struct link_ws *w = link_ws_serve(bridge, http, "/unity");
 *     ...
 *     link_ws_free(w);                          // after http_server_free; open links are dropped
 *
 * Messages are text frames of at most max_message_bytes; a larger one ends the link with 1009.
 * The HTTP server checks Host, Origin and token, so a web page cannot connect.
 */
#pragma once

struct bridge;
struct http_server;
struct link_ws;

struct link_ws *link_ws_serve(struct bridge *bridge, struct http_server *server, const char *path);
void link_ws_free(struct link_ws *w); /* NULL is fine */
