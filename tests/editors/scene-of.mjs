// A scene of any size: `count` objects in a tree, each with a Transform and a BoxCollider.
//
//     writeFileSync(file, sceneOf(1000));            // /Node 0, /Node 0/Node 1, ...
import {collider, gameObject, HEAD, sceneRoots, SETTINGS, transform} from '../e2e/fixtures/documents.mjs';

/** Ten children each, ten roots: the parent of number n is number n / 10. */
const FAN = 10;
const ids = n => [100 + n * 10, 101 + n * 10, 102 + n * 10];
const transformOf = n => ids(n)[1];

function documentsOf(n, count) {
    const [object, place, box] = ids(n), parent = n < FAN ? 0 : transformOf(Math.floor(n / FAN) - 1);
    const children = [];
    for (let child = (n + 1) * FAN; child < (n + 2) * FAN && child < count; child++)
        children.push(transformOf(child));
    return gameObject(object, [place, box], `Node ${n}`) + transform(place, object, n, children, parent) + collider(box, object);
}

export function sceneOf(count) {
    const all = Array.from({length: count}, (_, n) => n);
    return HEAD + SETTINGS + all.map(n => documentsOf(n, count)).join('') + sceneRoots(all.slice(0, FAN).map(transformOf));
}
