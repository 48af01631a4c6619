#include "cli/command.h"

/* clang-format off */
static const char *const log_formats[] = {"text", "json", NULL};
static const char *const log_levels[] = {"debug", "info", "warn", "error", NULL};

#define CONFIG_ROW {"config", 'c', OPTIONS_FILE, "FILE", \
    "read settings from FILE (default ./multiverse.json, if there is one)", 0, 0, NULL}
#define PORT_ROW(what) {"port", 'p', OPTIONS_NUMBER, "N", what, 0, 65535, NULL}
#define TOKEN_ROW(what) {"token-file", 't', OPTIONS_FILE, "FILE", what, 0, 0, NULL}

static const struct options_row serve_options[] = {
    PORT_ROW("listen on 127.0.0.1:N; 0 takes a free port (default 48091)"),
    {"stdio", 's', OPTIONS_FLAG, NULL, "serve an MCP client on standard input and output, too", 0, 0, NULL},
    {"project", 'P', OPTIONS_FOLDER, "DIR", "the folder of the Unity project", 0, 0, NULL},
    CONFIG_ROW,
    TOKEN_ROW("ask clients for the token on the first line of FILE (default: none is asked for)"),
    {"log-format", 0, OPTIONS_CHOICE, "FORMAT", "text for people, json for programs (default text)",
     0, 0, log_formats},
    {"log-level", 0, OPTIONS_CHOICE, "LEVEL", "the least that is logged: debug, info, warn, error (default info)",
     0, 0, log_levels},
    {0},
};
static const struct command_example serve_examples[] = {
    {"multiverse serve", "serve http://127.0.0.1:48091/mcp until Ctrl-C"},
    {"multiverse serve --port 0 --log-format json", "on a free port, with a log for programs"},
    {"multiverse serve --stdio", "what an MCP client starts as its server"},
    {0},
};

static const struct options_row help_options[] = {
    {"man", 0, OPTIONS_FLAG, NULL, "print the manual page (roff) instead", 0, 0, NULL},
    {0},
};
static const struct command_example help_examples[] = {
    {"multiverse help serve", "the same as multiverse serve --help"},
    {"multiverse help --man | man -l -", "the manual page"},
    {0},
};

const struct command commands[] = {
    {"serve", "serve a Unity project to MCP clients", "", 0, 0,
     "Starts the server: MCP clients reach it at http://127.0.0.1:PORT/mcp, the Unity editor connects to "
     "the same port. It needs no editor to start: calls wait until one is there. With --stdio it also "
     "serves the client that started it.\n\n"
     "Settings come from the flags, then from multiverse.json, then from the defaults; see multiverse "
     "help config. Only this machine can connect. Ctrl-C or SIGTERM ends it within two seconds; calls that "
     "run then are answered.",
     serve_options, serve_examples, cmd_serve},
    {"help", "show help, or the manual page", "[COMMAND]", 0, 1,
     "Shows what a command is for, its options and examples.",
     help_options, help_examples, cmd_help},
};
/* clang-format on */
const size_t command_count = sizeof commands / sizeof *commands;
