// A small disk that only this test and its processes can see: a tmpfs in a mount namespace of its
// own.
//
//     const disk = await openDisk(t, folder, '2m');  // null if not allowed; t is skipped
//     crew.prefix = disk.prefix;               // runs commands that see it
//     disk.fill(); disk.free(); disk.freeze(); disk.thaw();  // full; read-only
import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';

export async function openDisk(t, folder, size) {
    const isRoot = process.getuid() === 0;
    const holder = spawn('unshare', [...(isRoot ? [] : ['-r']), '-m', '--propagation', 'private', 'sh', '-c',
        `mount -t tmpfs -o size=${size},mode=0700 none '${folder}' && echo ready && exec cat`],
    {stdio: ['pipe', 'pipe', 'pipe']});
    let errors = '';
    holder.stderr.setEncoding('utf8').on('data', text => { errors += text; });
    const ended = once(holder, 'close');
    const ready = await Promise.race([once(holder.stdout, 'data').then(() => true), ended.then(() => false)]);
    if (!ready) {
        t.skip(`mount namespaces are not allowed here: ${errors.trim()}`);
        return null;
    }
    t.after(async () => {
        holder.stdin.end();
        await ended;
    });
    const prefix = ['nsenter', `--mount=/proc/${holder.pid}/ns/mnt`,
        ...(isRoot ? [] : [`--user=/proc/${holder.pid}/ns/user`, '--preserve-credentials']), '--'];
    const run = command => {
        const {status, stdout, stderr} = spawnSync(prefix[0], [...prefix.slice(1), 'sh', '-c', command],
            {encoding: 'utf8'});
        if (status !== 0)
            throw new Error(`${command}: ${stderr}`);
        return stdout;
    };
    return {
        prefix, run,
        fill: () => run(`cat /dev/zero >'${folder}/ballast' 2>/dev/null; true`),
        free: () => run(`rm -f '${folder}/ballast'`),
        freeze: () => run(`mount -o remount,ro '${folder}'`),
        thaw: () => run(`mount -o remount,rw '${folder}'`),
    };
}
