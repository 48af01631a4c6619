#include "cli/command.h"
#include "cli/store_option.h"

#include "orchestrator/scheduler.h"

static const char *const log_formats[] = {"text", "json", NULL};
static const char *const log_levels[] = {"debug", "info", "warn", "error", NULL};

static const char *const saves[] = {"auto", "manual", NULL};

static const struct options_row no_options[] = {{0}};

#define CONFIG_ROW                                                                                 \
    {                                                                                              \
        "config", 'c', OPTIONS_FILE, "FILE",                                                       \
            "read settings from FILE (default ./multiverse.json, if there is one)", 0, 0, NULL     \
    }
#define PORT_ROW(what)                                                                             \
    {                                                                                              \
        "port", 'p', OPTIONS_NUMBER, "N", what, 0, 65535, NULL                                     \
    }
#define TOKEN_ROW(what)                                                                            \
    {                                                                                              \
        "token-file", 't', OPTIONS_FILE, "FILE", what, 0, 0, NULL                                  \
    }

static const struct options_row serve_options[] = {
    PORT_ROW("listen on 127.0.0.1:N; 0 takes a free port (default 48091)"),
    {"stdio", 's', OPTIONS_FLAG, NULL, "serve an MCP client on standard input and output, too", 0,
     0, NULL},
    {"until-eof", 0, OPTIONS_FLAG, NULL,
     "stop when standard input ends: for programs that start it", 0, 0, NULL},
    {"project", 'P', OPTIONS_FOLDER, "DIR",
     "the folder of the Unity project (default: the one around the working directory)", 0, 0, NULL},
    {"save", 0, OPTIONS_CHOICE, "WHEN",
     "auto: a changed scene is written at once; manual: on save_scene (default auto)", 0, 0, saves},
    {"headless", 0, OPTIONS_FLAG, NULL,
     "insist on the headless editor (default in a Unity project)", 0, 0, NULL},
    {"no-headless", 0, OPTIONS_FLAG, NULL, "wait for a Unity editor instead", 0, 0, NULL},
    {"no-console", 0, OPTIONS_FLAG, NULL, "serve no console page, and nothing below /api", 0, 0,
     NULL},
    {"goal-silence", 0, OPTIONS_NUMBER, "SECONDS",
     "end a planner of the page that reports nothing for this long (default 120)", 1, 86400, NULL},
    STORE_OPTION_ROW,
    CONFIG_ROW,
    TOKEN_ROW("ask clients for the token on the first line of FILE (default: none is asked for)"),
    {"log-format", 0, OPTIONS_CHOICE, "FORMAT", "text for people, json for programs (default text)",
     0, 0, log_formats},
    {"log-level", 0, OPTIONS_CHOICE, "LEVEL",
     "the least that is logged: debug, info, warn, error (default info)", 0, 0, log_levels},
    {0},
};
static const struct command_example serve_examples[] = {
    {"multiverse serve", "serve http://127.0.0.1:48091/mcp until Ctrl-C"},
    {"multiverse serve --port 0 --log-format json", "on a free port, with a log for programs"},
    {"multiverse serve --project ~/game", "its scenes, without Unity"},
    {"multiverse serve --stdio", "what an MCP client starts as its server"},
    {0},
};

static const struct options_row call_options[] = {
    PORT_ROW("the port of the server (default: as configured, else 48091)"),
    {"project", 'P', OPTIONS_FOLDER, "DIR", "do it here, in this Unity project, without a server",
     0, 0, NULL},
    {"scene", 'S', OPTIONS_TEXT, "PATH",
     "with --project: the scene to open (default: the first of the build)", 0, 0, NULL},
    {"url", 'u', OPTIONS_TEXT, "URL", "the server as http://127.0.0.1:N/mcp; loopback only", 0, 0,
     NULL},
    CONFIG_ROW,
    TOKEN_ROW("show the server the token on the first line of FILE"),
    {"timeout-ms", 0, OPTIONS_NUMBER, "N",
     "give up after N milliseconds without an answer (default: wait); the server is asked to "
     "cancel "
     "the call",
     1, 86400000, NULL},
    {"raw", 'r', OPTIONS_FLAG, NULL, "print the whole answer of the protocol, not only its result",
     0, 0, NULL},
    {0},
};
static const struct command_example call_examples[] = {
    {"multiverse call get_editor_state", "is the editor there, and what is it doing?"},
    {"multiverse call read_console max_entries=5 log_type='[\"error\"]'", "the last five errors"},
    {"multiverse call run_tests '{\"mode\": \"edit\"}'", "arguments as one JSON object"},
    {"multiverse call get_scene_hierarchy max_depth=1 --project ~/game", "no server, no Unity"},
    {"multiverse call manage_component @change.json", "arguments from a file; - is standard input"},
    {0},
};

static const struct options_row tools_options[] = {
    {"json", 'j', OPTIONS_FLAG, NULL, "everything, with schemas, as JSON", 0, 0, NULL},
    {"markdown", 'm', OPTIONS_FLAG, NULL, "the reference as Markdown (docs/tools.md)", 0, 0, NULL},
    CONFIG_ROW,
    {0},
};
static const struct command_example tools_examples[] = {
    {"multiverse tools", "a table: name, mode, timeouts, what it does"},
    {"multiverse tools --json", "for programs"},
    {0},
};

static const struct options_row config_options[] = {
    {"config", 'c', OPTIONS_FILE, "FILE", "the file of the settings (default ./multiverse.json)", 0,
     0, NULL},
    {0},
};
static const struct command_example config_examples[] = {
    {"multiverse config", "all settings: value, default, where it comes from, meaning"},
    {"multiverse config get port", "one value"},
    {"multiverse config set save manual", "written to multiverse.json"},
    {"multiverse config set tests.command '[\"./run.sh\", \"{platform}\", \"{results}\"]'",
     "what run_tests runs"},
    {"multiverse config unset save", "back to the default"},
    {0},
};

static const struct options_row project_options[] = {
    {"json", 'j', OPTIONS_FLAG, NULL, "all numbers and findings as one JSON object", 0, 0, NULL},
    {0},
};
static const struct command_example project_examples[] = {
    {"multiverse project check ~/game", "what is wrong with its files"},
    {"multiverse project check --json >check.json", "here, for programs"},
    {0},
};

#define JSON_ROW(what)                                                                             \
    {                                                                                              \
        "json", 'j', OPTIONS_FLAG, NULL, what, 0, 0, NULL                                          \
    }
#define SEED_ROW                                                                                   \
    {                                                                                              \
        "seed", 0, OPTIONS_NUMBER, "N", "repeat the same choices (default: others each time)", 0,  \
            UINT64_MAX, NULL                                                                       \
    }

static const char *const mcp_choices[] = {"auto", "off", NULL};

static const struct options_row run_options[] = {
    JSON_ROW("what happens as JSON, one event a line"),
    {"tooling", 'T', OPTIONS_FILE, "FILE",
     "who does what (default: the task's runner.tooling, else ~/.multiverse/config/tooling.json)",
     0, 0, NULL},
    {"mcp", 0, OPTIONS_CHOICE, "WHAT",
     "auto: workers get the tools of the project's server; off (default: as the task says)", 0, 0,
     mcp_choices},
    {"result", 0, OPTIONS_FILE, "FILE",
     "write how it ended to FILE, as JSON: outcome, tokens, files changed", 0, 0, NULL},
    {"run-id", 0, OPTIONS_TEXT, "ID",
     "its name among decisions and transcripts, as 20261116T025200Z-9f86d081 (default: a new one)",
     0, 0, NULL},
    STORE_OPTION_ROW,
    SEED_ROW,
    {0},
};
static const struct command_example run_examples[] = {
    {"multiverse run task.yaml", "plan, work, validate"},
    {"echo '{version: 1, task: {prd: hello.txt says hello}}' | multiverse run -",
     "the smallest task"},
    {"multiverse run - <task.yaml --json >events.jsonl", "from standard input, for programs"},
    {"multiverse run task.yaml --tooling fast.json", "with other agents"},
    {0},
};

static const struct options_row tooling_options[] = {
    JSON_ROW("as JSON"),
    {"file", 'f', OPTIONS_FILE, "FILE", "another file than ~/.multiverse/config/tooling.json", 0, 0,
     NULL},
    {"count", 'n', OPTIONS_NUMBER, "N",
     "simulate: how many draws (default 10000); explain: how many decisions (default 1)", 1,
     1000000000, NULL},
    STORE_OPTION_ROW,
    SEED_ROW,
    {"dry-run", 0, OPTIONS_FLAG, NULL, "select: take no turn and record nothing", 0, 0, NULL},
    {0},
};
static const struct command_example tooling_examples[] = {
    {"multiverse tooling show", "who does what now, and who is out"},
    {"multiverse tooling simulate worker -n 1000000", "shares against weights"},
    {"multiverse tooling force claude-code claude-sonnet-4-5", "this one for everything"},
    {"multiverse tooling force off", "back to the profiles"},
    {"multiverse tooling cooldowns clear", "nobody rests any more"},
    {"multiverse tooling explain -n 5", "the last five decisions"},
    {"multiverse tooling classify runs.jsonl", "how those runs ended, and by which sign"},
    {0},
};

static const struct options_row task_options[] = {
    JSON_ROW("as JSON"),
    STORE_OPTION_ROW,
    {"pool", 0, OPTIONS_TEXT, "NAME",
     "add: who may run them, see orchestrate --pool (default \"default\"); list: only those", 0, 0,
     NULL},
    {"max-attempts", 0, OPTIONS_NUMBER, "N",
     "add: tries of each before it is a person's (default: as orchestrate says, 3)", 1, 1000, NULL},
    {"dry-run", 0, OPTIONS_FLAG, NULL, "add: check everything, add nothing", 0, 0, NULL},
    {"goal", 'g', OPTIONS_TEXT, "TEXT",
     "add: have a planner make tasks of it; - reads standard input", 0, 0, NULL},
    {"repo", 'C', OPTIONS_FOLDER, "DIR", "with --goal: where (default: the working directory)", 0,
     0, NULL},
    {"prefix", 0, OPTIONS_TEXT, "P", "with --goal: what the names of the tasks begin with", 0, 0,
     NULL},
    {"tooling", 'T', OPTIONS_FILE, "FILE",
     "with --goal: who plans (default ~/.multiverse/config/tooling.json)", 0, 0, NULL},
    {"yes", 'y', OPTIONS_FLAG, NULL, "with --goal: add the plan without asking", 0, 0, NULL},
    {"progress", 0, OPTIONS_NUMBER, "SECONDS",
     "with --goal --json: repeat the progress line on standard error this often (default: never)",
     1, 3600, NULL},
    {"state", 's', OPTIONS_TEXT, "STATES", "list: only these, with commas: FAILED,BLOCKED", 0, 0,
     NULL},
    {"follow", 'f', OPTIONS_FLAG, NULL, "logs: go on as more is written, until the task is over", 0,
     0, NULL},
    {"attempt", 'n', OPTIONS_NUMBER, "N", "logs: of this attempt (default: the last one)", 1,
     UINT32_MAX, NULL},
    {"svg", 0, OPTIONS_FLAG, NULL, "graph: as an SVG picture", 0, 0, NULL},
    {0},
};
static const struct command_example task_examples[] = {
    {"multiverse task add tasks/*.yaml", "all of them, or, if one is wrong, none"},
    {"multiverse task add --goal 'a menu with three buttons, tested'", "planned, shown, asked"},
    {"multiverse task list --state BLOCKED,FAILED", "what needs a person"},
    {"multiverse task logs menu -f", "as it happens"},
    {"multiverse task retry menu", "once more, with all its attempts"},
    {"multiverse task graph --svg >graph.svg", "who waits for whom"},
    {0},
};

static const struct options_row orchestrate_options[] = {
    {"json", 'j', OPTIONS_FLAG, NULL,
     "what happens as JSON, one event a line (default where standard output is no terminal)", 0, 0,
     NULL},
    STORE_OPTION_ROW,
    {"workers", 'w', OPTIONS_NUMBER, "N", "how many tasks at a time (default 2)", 1,
     SCHEDULER_MAX_WORKERS, NULL},
    {"pool", 'p', OPTIONS_MANY, "NAME=N",
     "run tasks of this pool only, N at a time; may be given several times (default: of all pools)",
     0, 0, NULL},
    {"until-idle", 'u', OPTIONS_FLAG, NULL,
     "end once nothing is left to run: exit code 1 if something is FAILED or BLOCKED", 0, 0, NULL},
    {"max-attempts", 0, OPTIONS_NUMBER, "N",
     "tries before a task is a person's, where the task does not say (default 3)", 1, 1000, NULL},
    {"retry-base", 0, OPTIONS_NUMBER, "SECONDS",
     "the wait before the second try; doubled each time, at most an hour (default 30)", 1, 86400,
     NULL},
    {"lease", 0, OPTIONS_NUMBER, "SECONDS",
     "how long others wait before they take over from a machine that is silent (default 60)",
     SCHEDULER_MIN_LEASE / 1000, 86400, NULL},
    {"drain", 0, OPTIONS_NUMBER, "SECONDS",
     "how long running tasks may go on after SIGTERM before they are handed back (default 600)", 1,
     604800, NULL},
    {"logs", 'l', OPTIONS_FLAG, NULL, "show what the tasks write, too", 0, 0, NULL},
    {0},
};
static const struct command_example orchestrate_examples[] = {
    {"multiverse orchestrate --workers 4", "run what is ready, until Ctrl-C"},
    {"multiverse orchestrate --until-idle --logs", "in CI: all there is, and what was written"},
    {"multiverse orchestrate --pool unity=1 --pool docs=3", "one in the editor, three beside it"},
    {"multiverse orchestrate --store postgresql://db.example/work", "on each of several machines"},
    {"multiverse orchestrate pause", "nothing new, anywhere; resume goes on"},
    {0},
};

static const struct command_example completion_examples[] = {
    {"eval \"$(multiverse completion bash)\"", "in ~/.bashrc"},
    {"multiverse completion zsh >~/.zfunc/_multiverse", "in a folder of $fpath"},
    {"multiverse completion fish | source", "in config.fish"},
    {0},
};

static const struct command_example version_examples[] = {
    {"multiverse version", "the same as multiverse --version"},
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
     "Starts the server: MCP clients reach it at http://127.0.0.1:PORT/mcp, the Unity editor "
     "connects to the same port, and http://127.0.0.1:PORT/ in a browser is the console page: the "
     "scene, the queue, the tasks, who does what. With --stdio it also serves the client that "
     "started it.\n\n"
     "In a Unity project (--project, or the one around the working directory) calls are answered "
     "by "
     "the headless editor, which reads and writes the project's files and needs no Unity; a Unity "
     "editor that connects takes its place as long as it is there. Elsewhere, and with "
     "--no-headless, calls wait until a Unity editor is there.\n\n"
     "Settings come from the flags, then from multiverse.json, then from the defaults; see "
     "multiverse "
     "help config. Only this machine can connect. Ctrl-C or SIGTERM ends it within two seconds; "
     "calls that "
     "run then are answered.",
     serve_options, serve_examples, cmd_serve, NULL},
    {"call", "call a tool, of a running server or on a project",
     "TOOL [JSON | @FILE | - | KEY=VALUE ...]", 1, COMMAND_MAX_ARGS,
     "Calls one tool and prints its result: indented on a terminal, else as one line of JSON. The "
     "arguments are one JSON object, a file with one (@FILE), standard input (-), or KEY=VALUE "
     "pairs.\n\n"
     "The VALUE of a pair is JSON if the tool takes something else than text there, else text: 5, "
     "true, "
     "[\"a\"] and Player need no further quotes. KEY:=JSON is JSON in any case. A.B=VALUE sets B "
     "in the "
     "object A.\n\n"
     "With --project there is no server: the headless editor opens the project, does the call, "
     "saves "
     "what it changed and ends.\n\n"
     "If the tool fails, its error object is printed in place of the result, one line on standard "
     "error "
     "says what happened and what to do, and the exit code is 1. Ctrl-C gives up: the server is "
     "asked "
     "to cancel the call, which may have run by then.",
     call_options, call_examples, cmd_call, NULL},
    {"tools", "list the tools", "", 0, 0,
     "Shows the catalog: every tool with its mode, its timeouts and what it does. A sync tool "
     "answers with "
     "its result; a job is started and followed with get_job_status.",
     tools_options, tools_examples, cmd_tools, NULL},
    {"config", "show and change the settings", "[list | get KEY | set KEY VALUE | unset KEY]", 0, 3,
     "Reads and writes multiverse.json in the working directory, or FILE. Without an argument, or "
     "with "
     "list, it shows every setting. The file is replaced in one step; what is unknown in it stays. "
     "It is "
     "not created while everything is default.\n\n"
     "tests.command is the program and its arguments, run in the folder of the project, without a "
     "shell. In the arguments {results} is the file it must write, as NUnit 3 XML; {platform} is "
     "EditMode or PlayMode; {project}, {filter}, {assemblies} and {categories} are what their "
     "names say. The same is in MULTIVERSE_RESULTS, MULTIVERSE_PLATFORM and so on.",
     config_options, config_examples, cmd_config, NULL},
    {"project", "check the files of a Unity project", "check [DIR]", 1, 2,
     "Reads every scene, prefab and other asset that Unity writes as text, and every .meta file; "
     "writes each out again in memory and compares. Without DIR it is the project of the working "
     "directory. Nothing is changed, but for the index in Library/Multiverse.\n\n"
     "Shown are the numbers of files, bytes and documents, and what was found: files that would "
     "not be the same when written (not identical), that cannot be read (unreadable), components "
     "without their script (missing scripts), references to objects or assets that are not there "
     "(broken references), assets with the GUID of another one (duplicate GUIDs). The first 50 "
     "findings are listed, with --json all of them.\n\n"
     "GUIDs that are nowhere are broken references only if all packages in Packages/manifest.json "
     "are on disk (embedded, local, or in Library/PackageCache); else they are counted as "
     "unresolved. Files that Unity keeps binary are counted, too, and are no findings.\n\n"
     "The exit code is 0 if nothing was found, 1 if something was, 2 if DIR is no Unity project.",
     project_options, project_examples, cmd_project, NULL},
    {"run", "have agents do a task: plan, work, validate", "TASK.yaml | -", 1, 1,
     "Reads a Task YAML and carries it to its end: acceptance criteria are planned, workers change "
     "the repo until they say that it is done, the result is assessed against the criteria, and "
     "task.test.command has the last word.\n\n"
     "Who does each piece is chosen by `multiverse tooling`: an agent that is limited, overloaded "
     "or not signed in rests, and the next one takes over, with a word on what was changed "
     "already. In a Unity project workers get this program's tools for the call (mcp: auto); a "
     "headless server is started if none runs. The agents' own settings are never changed.\n\n"
     "A note of the run is written to REPO/.agent-runner/task-ID.md, what the agents said to "
     "~/.multiverse/runs. Ctrl-C stops everything that was started; what is started does not "
     "outlive a run that was killed either.\n\n"
     "The exit code is 0 if the task is complete, 1 if it failed, 2 if the task or the "
     "configuration is wrong, 130 after Ctrl-C.",
     run_options, run_examples, cmd_run, NULL},
    {"tooling", "choose which agent and model does what", "ACTION [ARGUMENTS]", 1, 3,
     "Profiles say who may do the work of five categories: meta, plan, task, execution, worker. "
     "Candidates are drawn by weight, in turn, by priority, or the least recently used one; those "
     "that are not installed, or rest after a limit, are passed over. Rests hold for all processes "
     "of this user.\n\n"
     "The configuration is ~/.multiverse/config/tooling.json ($MULTIVERSE_HOME moves "
     "~/.multiverse); without it the built-in one holds.",
     tooling_options, tooling_examples, NULL, tooling_actions},
    {"task", "keep tasks in the store: add, watch, change them", "ACTION [ARGUMENTS]", 1,
     COMMAND_ANY_ARGS,
     "A task is a Task YAML (multiverse help run) with a name, task.id; it runs when all that its "
     "task.dependencies name have succeeded. `multiverse orchestrate` runs them. NAME is a name or "
     "a number, '#12' (in quotes: to a shell # is a comment).\n\n"
     "States: PENDING (waits for others), READY, RUNNING, RETRY_WAIT (again at a time), BLOCKED "
     "(the backlog: a person must look), SUCCEEDED, FAILED (trying again changes nothing), "
     "CANCELLED.\n\n"
     "add takes all files or none: a fault is named with file, line and column, a circle of "
     "dependencies with its names. What a file refers to is stored with it. With --goal the "
     "category `plan` is asked for tasks; they are shown, and added once you agree.\n\n"
     "Tasks are kept in ~/.multiverse/tasks.db, or on the server of --store.",
     task_options, task_examples, NULL, task_actions},
    {"orchestrate", "run the tasks of the store", "[ACTION]", 0, 1,
     "Takes what is READY, in the order of entry, runs it (multiverse run), and says how it ended. "
     "Any number of these may work on one store, on one machine or, with PostgreSQL, on many: no "
     "task runs twice at the same time, and what a dead one had is taken over by another after its "
     "lease.\n\n"
     "A failed try is made again after a while; one that met a limit waits until the limit ends, "
     "and does not count. After its tries a task is BLOCKED: a person's.\n\n"
     "Ctrl-C or SIGTERM: nothing new is begun, what runs may finish, up to --drain seconds, then "
     "it is handed back. A second one hands back at once; the exit code is then 130. With an "
     "action nothing is run: it shows or steers all orchestrators of the store.",
     orchestrate_options, orchestrate_examples, cmd_orchestrate, orchestrate_actions},
    {"completion", "print a completion script for a shell", "bash | zsh | fish", 1, 1,
     "Completes commands, options, settings, tools and their arguments.", no_options,
     completion_examples, cmd_completion, NULL},
    {"version", "print the version of the program", "", 0, 0,
     "Prints the name and the version of the program on one line. The Unity package and the server "
     "work together if they have the same major version.",
     no_options, version_examples, cmd_version, NULL},
    {"help", "show help, or the manual page", "[COMMAND]", 0, 1,
     "Shows what a command is for, its options and examples.", help_options, help_examples,
     cmd_help, NULL},
};
const size_t command_count = sizeof commands / sizeof *commands;
