// Builds what is published: a file for each entry and command, few for what they share, and the types of the entries.
// Traces stay readable: nothing of the code is shortened but its comments.
import { execFile } from "node:child_process";
import { hash } from "node:crypto";
import { cpSync, existsSync, globSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { rolldown, type Plugin } from "rolldown";
import { dts } from "rolldown-plugin-dts";
import { minifySync } from "rolldown/utils";
import { describeTree } from "../src/cli/completion/command-tree.ts";
import { createProgram } from "../src/cli/program.ts";

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

interface Package {
  readonly folder: string;
  /** The modules that users import, by name. */
  readonly entries: Readonly<Record<string, string>>;
  /** What starts by itself: the command line, processes, and a module of the user's build. */
  readonly programs: Readonly<Record<string, string>>;
  /** Of what its manifest names, the packages that are a part of its code too, and installed for its types. */
  readonly inlined: readonly string[];
  /**
   * What modules share, from the bottom to the top: a file of each layer holds what the named modules load at once and no
   * layer below has. Who needs less loads less.
   */
  readonly layers: Readonly<Record<string, readonly string[]>>;
  /** What it takes along besides: the place in the repository, and the place in the package. */
  readonly copies: Readonly<Record<string, string>>;
}

// zod learns its words for errors when it is loaded, culori its color spaces.
const WORKING = /\/(?:zod\/v4\/classic\/external|culori\/src\/index)\.js$/;

const root = fileURLToPath(new URL("..", import.meta.url));
const source = join(root, "src");
const declarations = join(root, "node_modules/.cache/declarations");

const PUBLISHER: Package = {
  folder: root,
  entries: { index: "index.ts", publish: "publish.ts", client: "client.ts" },
  programs: {
    cli: "cli.ts",
    "collect-entries": "integration/posts/collect-entries.ts",
    "shrink-program": "site/images/shrink-program.ts",
  },
  // Of its 95 modules a command needs few.
  inlined: ["zod"],
  layers: {
    base: [
      ...["base/ci.ts", "base/error.ts", "base/gate.ts", "base/outcome.ts", "base/pool.ts", "base/version.ts"],
      ...["base/redirect-status.ts", "contract/limits.ts", "html/marker.ts", "sync/asset-name.ts"],
    ],
    options: ["options/parse-options.ts", "contract/records.ts"],
    client: ["client.ts"],
    start: ["cli/run-cli.ts"],
    project: [
      ...["target/target.ts", "target/environment.ts", "target/run-mode.ts", "disk/program.ts"],
      ...["sync/preview-name.ts", "sync/report/render-text.ts", "posts/render/render-markdown.ts"],
      ...["sync/state-store.ts", "sync/desired/page-addresses.ts", "site/images/image-cache.ts"],
      "integration/toolbar/build-order.ts",
    ],
    commands: [
      ...["cli/run-command.ts", "cli/usage-error.ts"],
      ...["overview", "open", "explain", "completion", "mcp", "serve", "status"].map(commandFile),
    ],
    run: ["publish.ts", "posts/plan/changes.ts"],
    "publish-command": [commandFile("publish")],
    pages: ["sync/desired/make-pages.ts", "site/page-text.ts"],
    brand: ["sync/brand/desired-brand.ts"],
    posts: [
      ...["posts/local/desire-posts.ts", "posts/local/place-posts.ts", "posts/local/hold-pages.ts"],
      ...["posts/write/write-post-id.ts", "integration/posts/gathering.ts"],
    ],
    verify: ["verify-run", "browser", "open-browser"].map((name) => `sync/verify/${name}.ts`),
    diff: [commandFile("diff")],
    setup: [commandFile("init"), commandFile("archive"), commandFile("login")],
    account: [...globSync("cli/account/*.ts", { cwd: source }), commandFile("adopt"), commandFile("doctor")],
    "posts-commands": globSync("cli/posts/*.ts", { cwd: source }),
  },
  copies: {},
};

const SERVICE: Package = {
  folder: join(source, "service"),
  entries: { index: "service.ts" },
  programs: {
    "render-program": "service/markdown/render-program.ts",
    "check-program": "service/store/check-program.ts",
    "thumbnail-program": "service/resources/thumbnail-program.ts",
    "checkpoint-thread": "service/store/checkpoint-thread.ts",
    "reader-thread": "service/store/reader-thread.ts",
  },
  inlined: [],
  layers: {},
  copies: {
    "src/service/store/migrations": "dist/migrations",
    "src/service/app-pages/assets": "dist/assets",
    LICENSE: "LICENSE",
    "CHANGELOG.md": "CHANGELOG.md",
    // Those about the service link to the others.
    ...Object.fromEntries(
      globSync(["docs/*.md", "docs/*.webp", "docs/examples/*"], { cwd: root, exclude: ["docs/route-coverage.md"] }).map(
        (path) => [path, path] as const,
      ),
    ),
  },
};

for (const { folder, copies } of [PUBLISHER, SERVICE]) {
  rmSync(join(folder, "dist"), { recursive: true, force: true });
  for (const [from, to] of Object.entries(copies)) cpSync(join(root, from), join(folder, to), { recursive: true });
}
// `npm ci` makes this link; modules that were installed before the service was a package don't have it.
const link = join(root, "node_modules/astro-imprint-service");
if (!existsSync(link)) symlinkSync("../src/service", link, "junction");

await Promise.all([
  bundleCode(PUBLISHER),
  bundleDesk().then((parts) => bundleCode(SERVICE, parts)),
  bundleToolbar(),
  bundleTypes(),
]);
// What completion reads on every press of TAB, instead of the code of the commands.
const silent = { write() {} };
const tree = describeTree(createProgram({ cwd: "", environment: {}, out: silent, error: silent }, () => {}));
writeFileSync(join(root, "dist/commands.json"), JSON.stringify(tree));
// The entry that the service had before it was a package of its own.
for (const ending of ["js", "d.ts"]) {
  writeFileSync(join(root, `dist/service.${ending}`), 'export * from "astro-imprint-service";\n');
}

function commandFile(name: string): string {
  return `cli/commands/${name}.ts`;
}

/** `others`: modules that are a part of the package in another file. */
async function bundleCode(
  { folder, entries, programs, inlined, layers }: Package,
  others: readonly string[] = [],
): Promise<void> {
  const input = Object.entries({ ...entries, ...programs }).map(([name, file]) => [name, join(source, file)] as const);
  const starts = new Set(Object.values(programs).map((file) => join(source, file)));
  const graph = new Map<string, readonly string[]>();
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const named = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  const installed = named.filter((name) => !inlined.includes(name));
  const bundle = await rolldown({
    input: Object.fromEntries(input),
    cwd: root,
    platform: "node",
    external: (id, importer = "") => isLeftOut(id, importer, installed),
    plugins: [inlineShims(), inlineManifest(), partsOfCssTree(), noteImports(graph), dropFacades()],
    // What a module does when it is loaded matters only in those that are started.
    treeshake: { moduleSideEffects: (id) => starts.has(id) || WORKING.test(id) },
    tsconfig: join(root, "tsconfig.json"),
    checks: { pluginTimings: false },
  });
  const names = Object.keys(layers);
  const members = new Map(Object.entries(layers).map(([name, files]) => [name, once(() => reach(files, graph))]));
  await bundle.write({
    dir: join(folder, "dist"),
    entryFileNames: "[name].js",
    // A command may have the name of an entry.
    chunkFileNames: ({ facadeModuleId }) => (facadeModuleId?.includes("/cli/") ? "cli-[name].js" : "[name].js"),
    comments: { legal: true, annotation: true, jsdoc: false },
    minifyInternalExports: false,
    codeSplitting: {
      groups: names.map((name, place) => ({
        name,
        priority: names.length - place,
        test: (id) => !starts.has(id) && members.get(name)?.().has(id),
      })),
    },
  });
  writeLicenses(folder, [...graph.keys(), ...others]);
}

/** The editor of the dashboard in one file for browsers; gives the modules that it is made of. */
async function bundleDesk(): Promise<readonly string[]> {
  const graph = new Map<string, readonly string[]>();
  const bundle = await rolldown({
    input: join(source, "service/dashboard/desk/browser/desk.ts"),
    cwd: root,
    platform: "browser",
    plugins: [noteImports(graph)],
    tsconfig: join(root, "tools/tsconfig.browser.json"),
    checks: { pluginTimings: false },
  });
  await bundle.write({ file: join(SERVICE.folder, "dist/assets/desk.js"), minify: true });
  return [...graph.keys()];
}

/** What dev pages load: a small file, and the panel when it is opened. */
async function bundleToolbar(): Promise<void> {
  const tsconfig = join(root, "tools/tsconfig.browser.json");
  const input = { toolbar: join(source, "integration/toolbar/client/app.ts") };
  const bundle = await rolldown({ input, cwd: root, platform: "browser", tsconfig });
  await bundle.write({
    dir: join(root, "dist"),
    entryFileNames: "[name].js",
    chunkFileNames: "toolbar-[name].js",
  });
}

/**
 * What users install beside the package is left out of it: what its manifest names. The others are a part of it, with all
 * that they need in the versions that they need.
 */
function isLeftOut(id: string, importer: string, installed: readonly string[]): boolean {
  if (/^[./\0]/.test(id)) return false;
  if (isBuiltin(id)) return true;
  return !importer.includes("/node_modules/") && installed.some((name) => id === name || id.startsWith(`${name}/`));
}

/** Writes down the licenses of the packages that are a part of ours. */
function writeLicenses(folder: string, modules: Iterable<string>): void {
  const roots = [...modules].flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []);
  const texts = [...new Set(roots)].toSorted().map((place) => {
    const { name, version, license } = JSON.parse(readFileSync(join(place, "package.json"), "utf8"));
    const file = readdirSync(place).find((each) => /^licen[cs]e/i.test(each));
    const text = file === undefined ? "" : `\n${readFileSync(join(place, file), "utf8").trim()}\n`;
    return `# ${name} ${version} (${license})\n${text}`;
  });
  writeFileSync(join(folder, "dist/LICENSES.md"), texts.join("\n"));
}

/** All that modules load at once, and what that loads. */
function reach(files: readonly string[], graph: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const found = new Set(files.map((file) => join(source, file)));
  for (const file of found) for (const next of graph.get(file) ?? []) found.add(next);
  return found;
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

function noteImports(graph: Map<string, readonly string[]>): Plugin {
  return { name: "note-imports", moduleParsed: ({ id, importedIds }) => void graph.set(id, importedIds) };
}

/** A module of a layer that `import()` also loads is taken from the file of the layer, without a file between the two. */
function dropFacades(): Plugin {
  return {
    name: "drop-facades",
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
      const loads = new Map<string, string>();
      for (const { code, fileName, isDynamicEntry } of chunks) {
        const [, names, from] = /^export \{ ([^}]+) \} from "([^"]+)";\s*$/.exec(code) ?? [];
        if (!isDynamicEntry || names === undefined) continue;
        const fields = names.split(", ").map((name) => name.split(" as "));
        const facade = fields.map(([inner, outer = inner]) => `${outer}: all.${inner}`).join(", ");
        loads.set(`import("./${fileName}")`, `import("${from}").then((all) => ({ ${facade} }))`);
        delete bundle[fileName];
      }
      for (const chunk of chunks) {
        chunk.code = chunk.code.replaceAll(/import\("[^"]+"\)/g, (load) => loads.get(load) ?? load);
      }
    },
  };
}

// Every byte of these is a reader's: they stand in published pages.
function inlineShims(): Plugin {
  const reads = /readFileSync\(new URL\("\.\/([\w-]+-shim\.js)", import\.meta\.url\), "utf8"\)/g;
  return {
    name: "inline-shims",
    transform(code, id) {
      if (!code.includes("-shim.js")) return null;
      return code.replaceAll(reads, (_, name: string) => {
        const file = join(id, "..", name);
        return JSON.stringify(minifySync(name, readFileSync(file, "utf8"), { module: false }).code);
      });
    },
  };
}

/** Of `package.json` the code reads only this. The engines of gray-matter evaluate JavaScript; it is given others. */
function inlineManifest(): Plugin {
  return {
    name: "inline-manifest",
    load(id) {
      if (id.endsWith("/gray-matter/lib/engines.js")) return "module.exports = {};";
      if (id !== join(root, "package.json")) return null;
      const { version, engines }: Readonly<Record<string, unknown>> = JSON.parse(readFileSync(id, "utf8"));
      return { code: JSON.stringify({ version, engines, build: hashSources() }), moduleType: "json" };
    },
  };
}

/** Its reader without the grammar of all values, which is read from files and takes most of the time of its start. */
function partsOfCssTree(): Plugin {
  const name = "css-tree";
  const parts = [
    ...['{ default as parse } from "css-tree/parser"', '{ default as generate } from "css-tree/generator"'],
    ...['{ tokenize, tokenTypes } from "css-tree/tokenizer"', '{ default as walk } from "css-tree/walker"'],
    '{ ident } from "css-tree/utils"',
  ];
  return {
    name: "parts-of-css-tree",
    resolveId: (id) => (id === name ? `\0${name}` : null),
    load: (id) => (id === `\0${name}` ? parts.map((part) => `export ${part};`).join("\n") : null),
  };
}

/** By which caches know what another build made. */
function hashSources(): string {
  const files = globSync("**/*.*", { cwd: source }).toSorted();
  return hash("sha256", files.map((file) => readFileSync(join(source, file), "utf8")).join("\n"));
}

async function bundleTypes(): Promise<void> {
  const compiler = join(root, "node_modules/.bin/tsc");
  await promisify(execFile)(compiler, ["-p", "tools/tsconfig.build.json", "--outDir", declarations], { cwd: root });
  for (const { folder, entries } of [PUBLISHER, SERVICE]) {
    const input = Object.entries(entries).map(([name, file]) => {
      return [name, join(declarations, "src", file.replace(/\.ts$/, ".d.ts"))] as const;
    });
    const bundle = await rolldown({
      input: Object.fromEntries(input),
      cwd: root,
      external: /^[^./]/,
      plugins: [dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false, generator: "oxc" })],
      checks: { pluginTimings: false },
    });
    await bundle.write({
      dir: join(folder, "dist"),
      entryFileNames: "[name].ts",
      chunkFileNames: "[name].ts",
      codeSplitting: { groups: [{ name: "types.d", minShareCount: 2 }] },
    });
  }
}
