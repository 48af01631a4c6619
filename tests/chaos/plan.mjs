// The calls of the clients: every tool, random arguments, each with a marker. The editor's trace
// and the response show which call they belong to.
//
// The marker travels in a free-text argument, as a directive of the fake editor ("fake:echo=m17"),
// which also puts it into the result. Further directives request an accident.

const CHANGING = new Set(['manage_component', 'run_tests']);
const RECENT = 24;

export class Plan {
    constructor({random, calls, jobs, prefix, slow}) {
        this.random = random;
        this.calls = calls;
        this.jobs = jobs;
        this.prefix = prefix;
        this.slow = slow;
        this.marks = 0;
        this.ids = 0;
        this.recent = []; // calls with a client_request_id that may be repeated
        this.jobIds = []; // known job ids
        this.repeats = 0;
    }

    get isOver() {
        return this.calls <= 0;
    }

    /** One call: {tool, args, marker, crid, kind, progress}. */
    next() {
        this.calls--;
        if (this.jobs > 0 && this.random.chance(this.jobs / (this.calls + 1) * 1.2)) {
            this.jobs--;
            return this.runTests();
        }
        const kind = this.random.weighted({
            read_console: 20, get_scene_hierarchy: 12, get_component_info: 22, manage_component: 22, repeat: 8,
            get_editor_state: 5, get_job_status: 4, cancel_job: 1, invalid: 3, large: 1,
        });
        switch (kind) {
        case 'repeat': return this.repeat();
        case 'invalid': return this.invalid();
        case 'large': return this.large();
        case 'get_editor_state': return this.make(kind, {}, {kind: 'control'});
        case 'get_job_status': return this.askJob();
        case 'cancel_job': return this.make(kind, {job_id: this.anyJob()}, {kind: 'control'});
        default: return this.sync(kind);
        }
    }

    make(tool, args, more = {}) {
        const random = this.random;
        return {tool, args, kind: 'plain', progress: random.chance(0.3), crid: args.client_request_id, ...more};
    }

    marker() {
        return `${this.prefix}${++this.marks}`;
    }

    // ---- calls for the editor

    directives() {
        const random = this.random;
        switch (random.below(40)) {
        case 0: return ',error=ERR_OBJECT_NOT_FOUND';
        case 1: return ',twice';
        case 2: return `,compile=${random.between(1, 40)}`;
        case 3: return random.chance(0.5) ? `,reload=${random.between(1, 60)}` : '';
        case 4: return ',noresult';
        case 5: return random.chance(0.5) ? ',huge=90000' : ''; // more than max_message_bytes
        case 6: return `,delay=${random.between(1, 30)}`;
        default: return '';
        }
    }

    timeout() {
        return {timeout_ms: this.random.between(40, 250) * this.slow};
    }

    /** A reading call may use the id of another one: it is only recorded. */
    ownId(tool, marker) {
        const random = this.random;
        if (CHANGING.has(tool))
            return random.chance(0.6) ? {client_request_id: `id-${marker}`} : {};
        return random.chance(0.1) ? {client_request_id: `reading-${random.below(5)}`} : {};
    }

    ownArguments(tool, text) {
        const random = this.random;
        const maybe = object => random.chance(0.5) ? object : {};
        switch (tool) {
        case 'read_console':
            return {message_pattern: text, ...maybe({max_entries: random.below(12)}),
                ...maybe({log_type: ['error', 'warning']}), ...maybe({deduplicate: random.chance(0.5)})};
        case 'get_scene_hierarchy':
            return {root_path: text, ...maybe({max_depth: random.below(50)})};
        case 'get_component_info':
            return {game_object_path: text, index: random.below(9), ...maybe({fields: ['mass', 'näme']})};
        default:
            return this.edit(text);
        }
    }

    edit(text) {
        const random = this.random;
        const fields = {'näme': 'line\nbreak "quoted" \u{1f600}', speed: random.below(1000) / 8, none: null,
            at: {x: 1, y: [1, 2, {z: true}]}};
        switch (random.below(4)) {
        case 0: return {action: 'add', game_object_path: text, component_type: 'Rigidbody', fields};
        case 1: return {action: 'update', game_object_path: text, index: 2, fields};
        case 2: return {action: 'remove', game_object_path: text, index: 3};
        default: return {action: 'move', game_object_path: text, index: 3, new_index: random.between(1, 6)};
        }
    }

    sync(tool) {
        const marker = this.marker();
        const text = `fake:echo=${marker}${this.directives()}`;
        const args = {...this.ownArguments(tool, text), ...this.timeout(), ...this.ownId(tool, marker)};
        return this.remember(this.make(tool, args, {marker, reads: !CHANGING.has(tool)}));
    }

    runTests() {
        const random = this.random;
        const marker = this.marker();
        const how = random.weighted({
            '': 60, ',reject': 5, ',fail': 6, ',notests': 3, ',forget': 6, ',nocancel': 20, ',twice': 3, ',drop': 3,
        });
        const args = {
            filter: `fake:echo=${marker},steps=${random.between(1, 6)},step=${random.between(1, 12)}${how}`,
            timeout_ms: (random.chance(0.2) ? random.between(10, 40) : random.between(60, 700)) * this.slow,
        };
        if (random.chance(0.3))
            args.mode = random.pick(['all', 'edit', 'play']);
        if (random.chance(0.4))
            args.wait_ms = random.between(1, 120);
        if (random.chance(0.5))
            args.client_request_id = `id-${marker}`;
        return this.remember(this.make('run_tests', args, {marker, isJob: true, task: random.chance(0.3)}));
    }

    // ---- repeats

    remember(call) {
        if (call.crid && !call.reads) {
            this.recent.push(call);
            if (this.recent.length > RECENT)
                this.recent.shift();
        }
        return call;
    }

    /** Use a client_request_id again, from any client: mostly with the same call, sometimes with
     * another. */
    repeat() {
        if (!this.recent.length)
            return this.sync('manage_component');
        const first = this.random.pick(this.recent);
        const args = {...first.args};
        this.repeats++;
        if (!this.random.chance(0.15)) {
            args.timeout_ms = this.random.between(40, 250) * this.slow;
            return this.make(first.tool, args, {marker: first.marker, isJob: first.isJob, repeats: first});
        }
        const marker = this.marker();
        if (first.isJob)
            args.filter = `fake:echo=${marker}`;
        else
            args.game_object_path = `fake:echo=${marker}`;
        return this.make(first.tool, args, {marker, isJob: first.isJob, clashes: first});
    }

    // ---- calls that never reach the editor

    invalid() {
        const marker = this.marker();
        const text = `fake:echo=${marker}`;
        const make = (tool, args) => this.make(tool, args, {marker, kind: 'invalid'});
        switch (this.random.below(6)) {
        case 0: return make('read_console', {message_pattern: text, max_entry: 3});
        case 1: return make('get_component_info', {game_object_path: text, index: 'two'});
        case 2: return make('manage_component', {action: 'add', game_object_path: text});
        case 3: return make('get_scene_hierarchy', {root_path: text, timeout_ms: 999_999_999});
        case 4: return make('run_tests', {filter: text, mode: 'some'});
        default: return make('no_such_tool', {text});
        }
    }

    large() {
        const marker = this.marker();
        const args = {action: 'update', game_object_path: `fake:echo=${marker}`, index: 1,
            fields: {text: 'x'.repeat(70_000)}, ...this.timeout()};
        return this.make('manage_component', args, {marker, kind: 'large'});
    }

    // ---- jobs

    anyJob() {
        const random = this.random;
        if (!this.jobIds.length || random.chance(0.1))
            return random.pick(['job-none-1', '', 'req-x-1', 'job \u{1f600}']);
        return this.jobIds.at(-1 - random.below(Math.min(8, this.jobIds.length)));
    }

    askJob(jobId = this.anyJob()) {
        const args = {job_id: jobId};
        if (this.random.chance(0.8))
            args.wait_ms = this.random.between(1, 150);
        return this.make('get_job_status', args, {kind: 'control'});
    }
}
