// Builds the packages: a file for each entry and command, a few for shared code, and the types of the entries. Stack
// traces stay readable, because only comments are removed from the code.
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
  /** Programs: the command line, child processes, and a module of the user's build. */
  readonly programs: Readonly<Record<string, string>>;
  /** Dependencies in the manifest that are also bundled, and installed only for their types. */
  readonly inlined: readonly string[];
  /**
   * Shared code, from bottom to top: the file of each layer contains what the listed modules import statically and no
   * lower layer has, so that smaller entries load less.
   */
  readonly layers: Readonly<Record<string, readonly string[]>>;
  /** Other files: path in the repository, and path in the package. */
  readonly copies: Readonly<Record<string, string>>;
}

// Modules with side effects: zod registers its error messages, culori its color spaces.
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
  // A command needs few of its 95 modules.
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
      ...["integration/toolbar/build-order.ts", "site/find-files.ts", "site/build-hints.ts"],
      ...["posts/read/slugs.ts", "posts/read/collection-folder.ts"],
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
    // The pages about the service link to the others.
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
// `npm ci` creates this link; installations from before the service was a package lack it.
const link = join(root, "node_modules/astro-imprint-service");
if (!existsSync(link)) symlinkSync("../src/service", link, "junction");

await Promise.all([
  bundleCode(PUBLISHER),
  bundleDesk().then((parts) => bundleCode(SERVICE, parts)),
  bundleToolbar(),
  bundleTypes(),
]);
// Completion reads this on every press of TAB, instead of loading the commands.
const silent = { write() {} };
const tree = describeTree(createProgram({ cwd: "", environment: {}, out: silent, error: silent }, () => {}));
writeFileSync(join(root, "dist/commands.json"), JSON.stringify(tree));
// The entry of the service from before it was a separate package.
for (const ending of ["js", "d.ts"]) {
  writeFileSync(join(root, `dist/service.${ending}`), 'export * from "astro-imprint-service";\n');
}

function commandFile(name: string): string {
  return `cli/commands/${name}.ts`;
}

/** `others`: modules that are bundled in another file of the package. */
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
    // Side effects on import only matter in programs.
    treeshake: { moduleSideEffects: (id) => starts.has(id) || WORKING.test(id) },
    tsconfig: join(root, "tsconfig.json"),
    checks: { pluginTimings: false },
  });
  const names = Object.keys(layers);
  const members = new Map(Object.entries(layers).map(([name, files]) => [name, once(() => reach(files, graph))]));
  await bundle.write({
    dir: join(folder, "dist"),
    entryFileNames: "[name].js",
    // A command may have the same name as an entry.
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

/** Bundles the dashboard's editor in one file for browsers; returns its modules. */
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

/** Bundles the code of dev pages: a small file, and the panel, which is loaded when it is opened. */
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
 * Excludes the packages in the manifest, which users install. Others are bundled, with all of their dependencies in the
 * required versions.
 */
function isLeftOut(id: string, importer: string, installed: readonly string[]): boolean {
  if (/^[./\0]/.test(id)) return false;
  if (isBuiltin(id)) return true;
  return !importer.includes("/node_modules/") && installed.some((name) => id === name || id.startsWith(`${name}/`));
}

/** Writes the licenses of bundled packages. */
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

/** Returns everything that modules import statically, transitively. */
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

/** Makes `import()` of a layer's module load the layer's file directly, without a facade. */
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

// Minified, because these scripts are inlined in published pages.
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

/** Inlines the used fields of `package.json`. Replaces gray-matter's engines, which evaluate JavaScript. */
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

/** Uses css-tree's parser without its value grammar, which is read from files and takes most of its load time. */
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

/** Hashes the sources, so that caches detect another build. */
function hashSources(): string {
  const files = globSync("**/*.*", { cwd: source }).toSorted();
  return hash("sha256", files.map((file) => readFileSync(join(source, file), "utf8")).join("\n"));
}

async function bundleTypes(): Promise<void> {
  const compiler = join(root, "node_modules/.bin/tsc");
  // Several checkers would each infer the types that all files share, which takes twice as long on two cores.
  const options = ["-p", "tools/tsconfig.build.json", "--outDir", declarations, "--checkers", "1"];
  await promisify(execFile)(compiler, options, { cwd: root });
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
