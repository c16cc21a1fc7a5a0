// `npm install` omits platform packages from the lock file if the registry lacks them, and `npm ci` then rejects the
// lock file. This adds them: on their platforms they are installed from the registry, on all others they are skipped by
// their `os`, `cpu` and `libc`. It also checks every package's `engines` against the Node of the `node` dev dependency,
// and removes those that only the Node that runs npm would fail: no package runs on that one, and `npm ci` would warn
// about each. Run it after every change of dependencies: `npm run lock`.
import { readFile, writeFile } from "node:fs/promises";
import { satisfies } from "semver";

interface LockEntry {
  readonly version?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly engines?: { readonly node?: string };
}

/** The oldest Node that `npm ci` has to work under. */
const NODE_OF_NPM = "20.0.0";

const file = new URL("../package-lock.json", import.meta.url);
const lock: { readonly packages: Record<string, LockEntry> } = JSON.parse(await readFile(file, "utf8"));
const added: string[] = [];

for (const { optionalDependencies = {} } of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const path = `node_modules/${name}`;
    const platform = platformOf(name);
    if (lock.packages[path] !== undefined || platform === undefined || !/^\d/.test(version)) continue;
    lock.packages[path] = { version, optional: true, ...platform } as LockEntry;
    added.push(`${name}@${version}`);
  }
}

const nodeOfScripts = lock.packages["node_modules/node"]?.version ?? process.versions.node;
for (const [path, entry] of Object.entries(lock.packages)) {
  const wanted = entry.engines?.node;
  if (path === "" || wanted === undefined) continue;
  if (satisfies(NODE_OF_NPM, wanted) || !satisfies(nodeOfScripts, wanted)) continue;
  const { engines: _engines, ...others } = entry;
  lock.packages[path] = others;
}

const { "": root, ...rest } = lock.packages;
const sorted = Object.entries(rest).sort(([left], [right]) => (left < right ? -1 : 1));
const packages = { "": root, ...Object.fromEntries(sorted) };
await writeFile(file, `${JSON.stringify({ ...lock, packages }, undefined, 2)}\n`);
console.log(added.length === 0 ? "The lock file is complete." : `Added ${added.length} platform packages.`);

function platformOf(name: string): object | undefined {
  const [, system, processor, libc] =
    /(android|darwin|freebsd|linux|openharmony|sunos|aix|netbsd|openbsd|win32|windows|wasm32)-?(arm64|arm|x64|ia32|ppc64|riscv64|s390x|loong64|mips64el|wasi)?-?(gnu|musl|msvc|eabi|gnueabihf|musleabihf)?$/.exec(
      name,
    ) ?? [];
  if (system === undefined) return undefined;
  if (system === "wasm32") return { cpu: ["wasm32"] };
  const os = system === "windows" ? "win32" : system;
  const isMusl = libc?.startsWith("musl") === true;
  return {
    os: [os],
    ...(processor === undefined ? {} : { cpu: [processor] }),
    ...(os === "linux" && libc !== undefined ? { libc: [isMusl ? "musl" : "glibc"] } : {}),
  };
}
