// Copies SQLite's write-ahead log into the database file in a separate thread. Otherwise, the writer would do so within
// a commit, with megabytes to copy and a disk to wait for. See docs/decisions/0023.
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

const EVERY_MS = 50;
const IDLE_EVERY_MS = 250;

const { path, shared }: { readonly path: string; readonly shared: SharedArrayBuffer } = workerData;
const numbers = new Int32Array(shared);
const [LOG, COPIED, BEGUN, ENDED] = [0, 1, 2, 3];
const database = new DatabaseSync(path, { timeout: 0 });
database.exec("pragma synchronous = normal");
// The other checkpoint modes wait for readers and block all writers meanwhile.
const checkpoint = database.prepare("pragma wal_checkpoint(passive)");

let timer: NodeJS.Timeout | undefined;

function run(): void {
  const begun = Atomics.add(numbers, BEGUN, 1) + 1;
  const { log, checkpointed } = Object(checkpoint.get());
  const isIdle = log === checkpointed && log === Atomics.load(numbers, LOG);
  Atomics.store(numbers, LOG, Number(log));
  Atomics.store(numbers, COPIED, Number(checkpointed));
  Atomics.store(numbers, ENDED, begun);
  timer = setTimeout(run, isIdle ? IDLE_EVERY_MS : EVERY_MS);
}

parentPort?.once("message", () => {
  clearTimeout(timer);
  database.close();
});
run();
parentPort?.postMessage("running");
