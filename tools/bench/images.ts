// Compares processor time, size and fidelity of optimized photographs with other checkouts of this repository.
// `npm run bench:images <folder of photographs> [checkout …]`
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { ShrunkPhoto } from "./images/shrink.ts";

const [folder = "", ...others] = process.argv.slice(2);
const here = fileURLToPath(new URL("../..", import.meta.url));
const photos = readdirSync(folder)
  .filter((name) => /\.jpe?g$/i.test(name))
  .map((name) => join(resolve(folder), name));
console.log(`${photos.length} photographs`);
console.log(`${"".padEnd(12)}processor a photo      bytes  of the first   likeness: least, mean   AVIF`);
let first: { readonly cpuMs: number; readonly bytes: number } | undefined;
for (const checkout of [...others, here]) {
  const script = fileURLToPath(new URL("images/shrink.ts", import.meta.url));
  const told = execFileSync(process.execPath, ["--no-warnings", script, resolve(checkout), ...photos], {
    encoding: "utf8",
  });
  const shrunk: readonly ShrunkPhoto[] = JSON.parse(told);
  const sum = (pick: (photo: ShrunkPhoto) => number) => shrunk.reduce((total, photo) => total + pick(photo), 0);
  const [cpuMs, bytes] = [sum((photo) => photo.cpuMs) / shrunk.length, sum((photo) => photo.bytes)];
  first ??= { cpuMs, bytes };
  const commit = execFileSync("git", ["-C", checkout, "rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  const columns = [
    commit.padEnd(12),
    `${cpuMs.toFixed(0)} ms`.padStart(17),
    `${(bytes / 1000).toFixed(0)} kB`.padStart(11),
    `${(cpuMs / first.cpuMs).toFixed(2)} x ${((100 * bytes) / first.bytes - 100).toFixed(1)} %`.padStart(14),
    `${Math.min(...shrunk.map(({ likeness }) => likeness)).toFixed(4)}`.padStart(18),
    (sum(({ likeness }) => likeness) / shrunk.length).toFixed(4).padStart(8),
    String(shrunk.filter(({ format }) => format === "avif").length).padStart(7),
  ];
  console.log(columns.join(""));
}
