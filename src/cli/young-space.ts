const MEBIBYTE = 1024 * 1024;
const LARGEST_BYTES = 32 * MEBIBYTE;
// Where the whole heap is smaller, the space of new objects is too.
const WATCHED_BYTES = 48 * MEBIBYTE;
const INTERVAL_MS = 20;
const USUAL_GROWTH = 2;

/**
 * Keeps V8's space of new objects at about 32 MB while this process runs. A publish of thousands of pages makes it grow to
 * 128 MB, which are held to the end, and is no faster for it.
 */
export function limitYoungSpace(): void {
  let growth = USUAL_GROWTH;
  setInterval(async () => {
    if (process.memoryUsage().heapTotal < WATCHED_BYTES) return;
    const { getHeapSpaceStatistics, setFlagsFromString } = await import("node:v8");
    const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space");
    const wanted = (space?.space_size ?? 0) < LARGEST_BYTES ? USUAL_GROWTH : 1;
    // `--max-semi-space-size` says the same, but only when a process starts, and a command of npm is started without
    // flags. V8 reads the growth whenever the space would grow. It shrinks by itself, and has to be able to grow again.
    if (wanted !== growth) setFlagsFromString(`--semi-space-growth-factor=${wanted}`);
    growth = wanted;
  }, INTERVAL_MS).unref();
}
