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
    {"stdio", 's', OPTIONS_FLAG, NULL, "also serve an MCP client on standard input and output", 0,
     0, NULL},
    {"until-eof", 0, OPTIONS_FLAG, NULL,
     "stop when standard input ends: for programs that start a server", 0, 0, NULL},
    {"project", 'P', OPTIONS_FOLDER, "DIR",
     "folder of the Unity project (default: the project that contains the working directory)", 0, 0,
     NULL},
    {"save", 0, OPTIONS_CHOICE, "WHEN",
     "auto: save a changed scene at once; manual: on save_scene (default auto)", 0, 0, saves},
    {"headless", 0, OPTIONS_FLAG, NULL, "require the headless editor (default in a Unity project)",
     0, 0, NULL},
    {"no-headless", 0, OPTIONS_FLAG, NULL, "wait for a Unity editor instead", 0, 0, NULL},
    {"no-console", 0, OPTIONS_FLAG, NULL, "do not serve the console page and /api", 0, 0, NULL},
    {"goal-silence", 0, OPTIONS_NUMBER, "SECONDS",
     "end a planner of the page that reports nothing for this long (default 120)", 1, 86400, NULL},
    STORE_OPTION_ROW,
    CONFIG_ROW,
    TOKEN_ROW("require the token on the first line of FILE from clients (default: no token)"),
    {"log-format", 0, OPTIONS_CHOICE, "FORMAT", "text for people, json for programs (default text)",
     0, 0, log_formats},
    {"log-level", 0, OPTIONS_CHOICE, "LEVEL",
     "least severe level to log: debug, info, warn, error (default info)", 0, 0, log_levels},
    {0},
};
static const struct command_example serve_examples[] = {
    {"multiverse serve", "serve http://127.0.0.1:48091/mcp until Ctrl-C"},
    {"multiverse serve --port 0 --log-format json", "on a free port, with a log for programs"},
    {"multiverse serve --project ~/game", "this project, without Unity"},
    {"multiverse serve --stdio", "as an MCP client starts its server"},
    {0},
};

static const struct options_row call_options[] = {
    PORT_ROW("port of the server (default: as configured, else 48091)"),
    {"project", 'P', OPTIONS_FOLDER, "DIR", "call the tool in this Unity project, without a server",
     0, 0, NULL},
    {"scene", 'S', OPTIONS_TEXT, "PATH",
     "with --project: the scene to open (default: the first one of the build)", 0, 0, NULL},
    {"url", 'u', OPTIONS_TEXT, "URL", "the server, as http://127.0.0.1:N/mcp; loopback only", 0, 0,
     NULL},
    CONFIG_ROW,
    TOKEN_ROW("send the token on the first line of FILE"),
    {"timeout-ms", 0, OPTIONS_NUMBER, "N",
     "give up after N milliseconds without an answer, and ask the server to cancel the call "
     "(default: wait)",
     1, 86400000, NULL},
    {"raw", 'r', OPTIONS_FLAG, NULL, "print the whole protocol message, not only its result", 0, 0,
     NULL},
    {0},
};
static const struct command_example call_examples[] = {
    {"multiverse call get_editor_state", "is an editor connected, and what is it doing?"},
    {"multiverse call read_console max_entries=5 log_type='[\"error\"]'", "the last five errors"},
    {"multiverse call run_tests '{\"mode\": \"edit\"}'", "arguments as one JSON object"},
    {"multiverse call get_scene_hierarchy max_depth=1 --project ~/game",
     "without a server and without Unity"},
    {"multiverse call manage_component @change.json", "arguments from a file; - is standard input"},
    {0},
};

static const struct options_row tools_options[] = {
    {"json", 'j', OPTIONS_FLAG, NULL, "print everything, with schemas, as JSON", 0, 0, NULL},
    {"markdown", 'm', OPTIONS_FLAG, NULL, "print the reference as Markdown (docs/tools.md)", 0, 0,
     NULL},
    CONFIG_ROW,
    {0},
};
static const struct command_example tools_examples[] = {
    {"multiverse tools", "a table: name, mode, timeouts, what it does"},
    {"multiverse tools --json", "for programs"},
    {0},
};

static const struct options_row config_options[] = {
    {"config", 'c', OPTIONS_FILE, "FILE", "settings file (default ./multiverse.json)", 0, 0, NULL},
    {0},
};
static const struct command_example config_examples[] = {
    {"multiverse config", "all settings: value, default, origin, meaning"},
    {"multiverse config get port", "one value"},
    {"multiverse config set save manual", "write it to multiverse.json"},
    {"multiverse config set tests.command '[\"./run.sh\", \"{platform}\", \"{results}\"]'",
     "the command of run_tests"},
    {"multiverse config unset save", "back to the default"},
    {0},
};

static const struct options_row project_options[] = {
    {"json", 'j', OPTIONS_FLAG, NULL, "print all numbers and findings as one JSON object", 0, 0,
     NULL},
    {0},
};
static const struct command_example project_examples[] = {
    {"multiverse project check ~/game", "find damaged files of a project"},
    {"multiverse project check --json >check.json", "in the working directory, for programs"},
    {0},
};

#define JSON_ROW(what)                                                                             \
    {                                                                                              \
        "json", 'j', OPTIONS_FLAG, NULL, what, 0, 0, NULL                                          \
    }
#define SEED_ROW                                                                                   \
    {                                                                                              \
        "seed", 0, OPTIONS_NUMBER, "N",                                                            \
            "repeat the same choices (default: different ones each time)", 0, UINT64_MAX, NULL     \
    }

static const char *const mcp_choices[] = {"auto", "off", NULL};

static const struct options_row run_options[] = {
    JSON_ROW("print events as JSON, one per line"),
    {"tooling", 'T', OPTIONS_FILE, "FILE",
     "which agents to use (default: the task's runner.tooling, else "
     "~/.multiverse/config/tooling.json)",
     0, 0, NULL},
    {"mcp", 0, OPTIONS_CHOICE, "WHAT",
     "auto: give workers the tools of the project's server; off: do not (default: as in the task)",
     0, 0, mcp_choices},
    {"result", 0, OPTIONS_FILE, "FILE",
     "write the result to FILE as JSON: outcome, tokens, changed files", 0, 0, NULL},
    {"run-id", 0, OPTIONS_TEXT, "ID",
     "name of the run in decisions and transcripts, as 20261116T025200Z-9f86d081 (default: a new "
     "one)",
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
    JSON_ROW("print JSON"),
    {"file", 'f', OPTIONS_FILE, "FILE", "use FILE instead of ~/.multiverse/config/tooling.json", 0,
     0, NULL},
    {"count", 'n', OPTIONS_NUMBER, "N",
     "simulate: number of draws (default 10000); explain: number of decisions (default 1)", 1,
     1000000000, NULL},
    STORE_OPTION_ROW,
    SEED_ROW,
    {"dry-run", 0, OPTIONS_FLAG, NULL, "select: record nothing, do not advance round robin", 0, 0,
     NULL},
    {0},
};
static const struct command_example tooling_examples[] = {
    {"multiverse tooling show", "candidates of every category, and who is unavailable"},
    {"multiverse tooling simulate worker -n 1000000", "compare shares with weights"},
    {"multiverse tooling force claude-code claude-sonnet-4-5", "use this one for everything"},
    {"multiverse tooling force off", "back to the profiles"},
    {"multiverse tooling cooldowns clear", "end all cooldowns"},
    {"multiverse tooling explain -n 5", "the last five decisions"},
    {"multiverse tooling classify runs.jsonl", "outcome of each recorded run, and its evidence"},
    {0},
};

static const struct options_row task_options[] = {
    JSON_ROW("print JSON"),
    STORE_OPTION_ROW,
    {"pool", 0, OPTIONS_TEXT, "NAME",
     "add: pool of the tasks, see orchestrate --pool (default \"default\"); list: only this pool",
     0, 0, NULL},
    {"max-attempts", 0, OPTIONS_NUMBER, "N",
     "add: attempts before a task needs a person (default: as in orchestrate, 3)", 1, 1000, NULL},
    {"dry-run", 0, OPTIONS_FLAG, NULL, "add: check everything, add nothing", 0, 0, NULL},
    {"goal", 'g', OPTIONS_TEXT, "TEXT",
     "add: let a planner write the tasks; - reads the goal from standard input", 0, 0, NULL},
    {"repo", 'C', OPTIONS_FOLDER, "DIR",
     "with --goal: the repository (default: the working directory)", 0, 0, NULL},
    {"prefix", 0, OPTIONS_TEXT, "P", "with --goal: prefix of the task names", 0, 0, NULL},
    {"tooling", 'T', OPTIONS_FILE, "FILE",
     "with --goal: which agents plan (default ~/.multiverse/config/tooling.json)", 0, 0, NULL},
    {"yes", 'y', OPTIONS_FLAG, NULL, "with --goal: add the plan without asking", 0, 0, NULL},
    {"progress", 0, OPTIONS_NUMBER, "SECONDS",
     "with --goal --json: repeat the progress line on standard error this often (default: never)",
     1, 3600, NULL},
    {"state", 's', OPTIONS_TEXT, "STATES",
     "list: only these states, separated by commas: FAILED,BLOCKED", 0, 0, NULL},
    {"follow", 'f', OPTIONS_FLAG, NULL,
     "logs: print more as it is written, until the task has ended", 0, 0, NULL},
    {"attempt", 'n', OPTIONS_NUMBER, "N", "logs: the attempt (default: the last one)", 1,
     UINT32_MAX, NULL},
    {"svg", 0, OPTIONS_FLAG, NULL, "graph: print an SVG picture", 0, 0, NULL},
    {0},
};
static const struct command_example task_examples[] = {
    {"multiverse task add tasks/*.yaml", "add all of them, or none if one is wrong"},
    {"multiverse task add --goal 'a menu with three buttons, tested'",
     "plan it, show the plan, ask"},
    {"multiverse task list --state BLOCKED,FAILED", "tasks that need a person"},
    {"multiverse task logs menu -f", "follow its output"},
    {"multiverse task retry menu", "run it again, with all its attempts"},
    {"multiverse task graph --svg >graph.svg", "dependencies as a picture"},
    {0},
};

static const struct options_row orchestrate_options[] = {
    {"json", 'j', OPTIONS_FLAG, NULL,
     "print events as JSON, one per line (default if standard output is not a terminal)", 0, 0,
     NULL},
    STORE_OPTION_ROW,
    {"workers", 'w', OPTIONS_NUMBER, "N", "tasks at the same time (default 2)", 1,
     SCHEDULER_MAX_WORKERS, NULL},
    {"pool", 'p', OPTIONS_MANY, "NAME=N",
     "run tasks of this pool only, N at a time; may be repeated (default: all pools)", 0, 0, NULL},
    {"until-idle", 'u', OPTIONS_FLAG, NULL,
     "stop when nothing is left to run: exit code 1 if a task is FAILED or BLOCKED", 0, 0, NULL},
    {"max-attempts", 0, OPTIONS_NUMBER, "N",
     "attempts before a task needs a person, unless the task sets it (default 3)", 1, 1000, NULL},
    {"retry-base", 0, OPTIONS_NUMBER, "SECONDS",
     "delay before the first retry; doubled each time, at most an hour (default 30)", 1, 86400,
     NULL},
    {"lease", 0, OPTIONS_NUMBER, "SECONDS",
     "time after which others take over the tasks of a silent orchestrator (default 60)",
     SCHEDULER_MIN_LEASE / 1000, 86400, NULL},
    {"drain", 0, OPTIONS_NUMBER, "SECONDS",
     "time for running tasks after SIGTERM before they are handed back (default 600)", 1, 604800,
     NULL},
    {"logs", 'l', OPTIONS_FLAG, NULL, "also print the output of the tasks", 0, 0, NULL},
    {0},
};
static const struct command_example orchestrate_examples[] = {
    {"multiverse orchestrate --workers 4", "run tasks that are ready, until Ctrl-C"},
    {"multiverse orchestrate --until-idle --logs", "in CI: run everything, with the output"},
    {"multiverse orchestrate --pool unity=1 --pool docs=3", "one in the editor, three others"},
    {"multiverse orchestrate --store postgresql://db.example/work", "on each of several machines"},
    {"multiverse orchestrate pause", "start nothing new, anywhere; orchestrate resume continues"},
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
     "Starts the server. MCP clients connect to http://127.0.0.1:PORT/mcp, the Unity editor "
     "connects to the same port, and http://127.0.0.1:PORT/ in a browser is the console page: "
     "scene, queue, tasks, agents. With --stdio it also serves the client that started it.\n\n"
     "In a Unity project (--project, or the project that contains the working directory) the "
     "headless editor answers calls. It reads and writes the project's files and needs no "
     "Unity. While a Unity editor is connected, that editor answers instead. Elsewhere, and "
     "with --no-headless, calls wait for a Unity editor.\n\n"
     "Options override multiverse.json, which overrides the defaults; see multiverse help "
     "config. Only programs on this machine can connect. Ctrl-C or SIGTERM stops the server "
     "within two seconds; calls that are running then are answered first.",
     serve_options, serve_examples, cmd_serve, NULL},
    {"call", "call a tool, of a running server or on a project",
     "TOOL [JSON | @FILE | - | KEY=VALUE ...]", 1, COMMAND_MAX_ARGS,
     "Calls one tool and prints its result: indented on a terminal, else as one line of JSON. "
     "The arguments are one JSON object, a file that holds one (@FILE), standard input (-), or "
     "KEY=VALUE pairs.\n\n"
     "The VALUE of a pair is read as JSON if the tool expects something other than text there, "
     "else as text: 5, true, [\"a\"] and Player need no further quotes. KEY:=JSON is always "
     "JSON. A.B=VALUE sets B in the object A.\n\n"
     "With --project no server is needed: the headless editor opens the project, makes the "
     "call, saves the changes and ends.\n\n"
     "If the tool fails, its error object is printed instead of the result, one line on "
     "standard error says what happened and what to do, and the exit code is 1. Ctrl-C gives "
     "up and asks the server to cancel the call, which may already have run.",
     call_options, call_examples, cmd_call, NULL},
    {"tools", "list the tools", "", 0, 0,
     "Shows the catalog: every tool with its mode, its timeouts and what it does. A sync tool "
     "returns its result; a job is started, and get_job_status returns its state.",
     tools_options, tools_examples, cmd_tools, NULL},
    {"config", "show and change the settings", "[list | get KEY | set KEY VALUE | unset KEY]", 0, 3,
     "Reads and writes multiverse.json in the working directory, or FILE. Without an argument, "
     "or with list, it shows every setting. The file is replaced in one step, and unknown keys "
     "in it stay. It is not created while every setting has its default.\n\n"
     "tests.command is a program and its arguments. It runs in the folder of the project, "
     "without a shell. In the arguments, {results} is the file it must write, as NUnit 3 XML; "
     "{platform} is EditMode or PlayMode; {project}, {filter}, {assemblies} and {categories} "
     "are replaced, too. The same values are in the variables MULTIVERSE_RESULTS, "
     "MULTIVERSE_PLATFORM and so on.",
     config_options, config_examples, cmd_config, NULL},
    {"project", "check the files of a Unity project", "check [DIR]", 1, 2,
     "Reads every scene, prefab and other asset that Unity writes as text, and every .meta "
     "file, writes each one again in memory and compares. Without DIR it checks the project of "
     "the working directory. Nothing is changed except the index in Library/Multiverse.\n\n"
     "It prints the numbers of files, bytes and documents, and what it found: files that would "
     "change when written (not identical), files that cannot be read (unreadable), components "
     "whose script is missing (missing scripts), references to objects or assets that do not "
     "exist (broken references), and assets with the GUID of another asset (duplicate GUIDs). "
     "The first 50 findings are listed, with --json all of them.\n\n"
     "An unknown GUID is a broken reference only if all packages of Packages/manifest.json are "
     "on disk (embedded, local, or in Library/PackageCache); otherwise it is counted as "
     "unresolved. Files that Unity keeps as binary are counted, but are not findings.\n\n"
     "The exit code is 0 if nothing was found, 1 if something was, 2 if DIR is not a Unity "
     "project.",
     project_options, project_examples, cmd_project, NULL},
    {"run", "let agents do a task: plan, work, validate", "TASK.yaml | -", 1, 1,
     "Reads a Task YAML and runs it to its end: acceptance criteria are planned, workers "
     "change the repo until they report that it is done, the result is assessed against the "
     "criteria, and task.test.command must succeed.\n\n"
     "The configuration of `multiverse tooling` decides which agent does each piece. An agent "
     "that is limited, overloaded or not signed in gets a cooldown, and the next agent takes "
     "over and is told what was already changed. In a Unity project, workers get the tools of "
     "this program during the run (mcp: auto); a headless server is started if none is "
     "running. The agents' own settings are never changed.\n\n"
     "A note about the run is written to REPO/.agent-runner/task-ID.md, and the agents' output "
     "to ~/.multiverse/runs. Ctrl-C stops every process that the run started; they also end if "
     "the run is killed.\n\n"
     "The exit code is 0 if the task is complete, 1 if it failed, 2 if the task or the "
     "configuration is wrong, 130 after Ctrl-C.",
     run_options, run_examples, cmd_run, NULL},
    {"tooling", "choose which agent and model does what", "ACTION [ARGUMENTS]", 1, 3,
     "A profile lists the candidates for each of five categories of work: meta, plan, task, "
     "execution, worker. A candidate is chosen by weight, round robin, priority or least "
     "recent use. Candidates that are not installed, or are in a cooldown after a limit, are "
     "skipped. Cooldowns apply to all processes of this user.\n\n"
     "The configuration is ~/.multiverse/config/tooling.json ($MULTIVERSE_HOME replaces "
     "~/.multiverse). Without it the built-in default is used.",
     tooling_options, tooling_examples, NULL, tooling_actions},
    {"task", "keep tasks in the store: add, watch, change them", "ACTION [ARGUMENTS]", 1,
     COMMAND_ANY_ARGS,
     "A task is a Task YAML (multiverse help run) with a name, task.id. It runs when all tasks "
     "of its task.dependencies have succeeded. `multiverse orchestrate` runs tasks. NAME is a "
     "name or a number, '#12' (in quotes, because # begins a comment in a shell).\n\n"
     "States: PENDING (waits for other tasks), READY, RUNNING, RETRY_WAIT (will be retried), "
     "BLOCKED (needs a person), SUCCEEDED, FAILED (a retry would not help), CANCELLED.\n\n"
     "add takes all files or none. An error names file, line and column, a dependency cycle "
     "the names of its tasks. Files that a task refers to are stored with it. With --goal the "
     "category `plan` is asked for tasks; they are shown, and added when you agree.\n\n"
     "Tasks are stored in ~/.multiverse/tasks.db, or on the server of --store.",
     task_options, task_examples, NULL, task_actions},
    {"orchestrate", "run the tasks of the store", "[ACTION]", 0, 1,
     "Claims READY tasks in the order they were added, runs them (multiverse run) and records "
     "the results. Any number of orchestrators may work on one store, on one machine or, with "
     "PostgreSQL, on many: no task runs twice at the same time, and the tasks of a dead "
     "orchestrator are taken over by another one when their lease has expired.\n\n"
     "A failed attempt is retried after a delay. An attempt that met a limit waits until the "
     "limit ends, and does not count. After its last attempt a task is BLOCKED until a person "
     "looks at it.\n\n"
     "On Ctrl-C or SIGTERM nothing new is started; running tasks may finish within --drain "
     "seconds, then they are handed back. A second signal hands them back at once, and the "
     "exit code is 130. With an ACTION no task is run: it shows or controls all orchestrators "
     "of the store.",
     orchestrate_options, orchestrate_examples, cmd_orchestrate, orchestrate_actions},
    {"completion", "print a completion script for a shell", "bash | zsh | fish", 1, 1,
     "The script completes commands, options, settings, tools and their arguments.", no_options,
     completion_examples, cmd_completion, NULL},
    {"version", "print the version of the program", "", 0, 0,
     "Prints the name and the version of the program on one line. The Unity package and the server "
     "work together if they have the same major version.",
     no_options, version_examples, cmd_version, NULL},
    {"help", "show help, or the manual page", "[COMMAND]", 0, 1,
     "Shows what a command does, its options and examples.", help_options, help_examples, cmd_help,
     NULL},
};
const size_t command_count = sizeof commands / sizeof *commands;
