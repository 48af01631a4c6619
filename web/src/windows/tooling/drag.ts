// Reorders the rows of a list by dragging their [data-act="grip"] with mouse, pen or touch. Escape
// cancels.

interface DragHandlers {
    onmove: (drag: {from: number; to: number} | null) => void;
    ondrop: (from: number, to: number) => void;
}

export function dragList({onmove, ondrop}: DragHandlers): (list: HTMLElement) => () => void {
    return list => {
        let end: (() => void) | null = null;

        function start(down: PointerEvent): void {
            const grip = (down.target as Element).closest<HTMLElement>('[data-act="grip"]');
            const from = [...list.children].findIndex(row => row.contains(grip));
            if (!grip || from < 0 || down.button !== 0) return;
            let to = from;
            const rowAt = (y: number): number => {
                const rows = [...list.children].map(r => r.getBoundingClientRect());
                const at = rows.findIndex(r => y < r.bottom);
                return at < 0 ? rows.length - 1 : at;
            };
            const move = (e: PointerEvent): void => {
                to = rowAt(e.clientY);
                list.children[to]?.scrollIntoView({block: 'nearest'});
                onmove({from, to});
            };
            const drop = (): void => {
                end?.();
                if (to !== from) ondrop(from, to);
            };
            const key = (e: KeyboardEvent): void => {
                if (e.key === 'Escape') end?.();
            };
            end = () => {
                grip.removeEventListener('pointermove', move);
                grip.removeEventListener('pointerup', drop);
                grip.removeEventListener('pointercancel', cancel);
                removeEventListener('keydown', key);
                end = null;
                onmove(null);
            };
            const cancel = (): void => end?.();
            grip.setPointerCapture(down.pointerId);
            grip.addEventListener('pointermove', move);
            grip.addEventListener('pointerup', drop);
            grip.addEventListener('pointercancel', cancel);
            addEventListener('keydown', key);
        }

        list.addEventListener('pointerdown', start);
        return () => {
            list.removeEventListener('pointerdown', start);
            end?.();
        };
    };
}
