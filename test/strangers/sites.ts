// Two real Astro sites, built once for each version that the histories need.

import { fork, type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import fastGlob from "fast-glob";
import { linkPackages } from "../link-packages.ts";

export type Version = "first" | "changed" | "renamed" | "deleted" | "post-edited" | "second-site";

/** Built versions: folders with `dist/` and `src/`. */
export type BuiltSites = Readonly<Record<Version, string>>;

const SITES = fileURLToPath(new URL("./sites", import.meta.url));
const BUILD_PROGRAM = fileURLToPath(new URL("./build-program.ts", import.meta.url));
const MODULES = fileURLToPath(new URL("../../node_modules", import.meta.url));
const BUILT = join(MODULES, ".cache");
const FONT = join(MODULES, "@fontsource/literata/files/literata-latin-400-normal.woff2");

interface Edit {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

interface Step {
  readonly version: Version;
  readonly edits: readonly Edit[];
  readonly move?: readonly [string, string];
  readonly remove?: string;
}

const INDEX = "src/pages/index.astro";
const WINTER = "src/pages/guides/setting-up-a-bicycle-for-a-long-winter-journey.astro";

// Each step builds on the previous one.
const STEPS: readonly Step[] = [
  { version: "first", edits: [] },
  {
    version: "changed",
    edits: [
      { file: "src/pages/about.astro", from: "two ferry mechanics", to: "three ferry mechanics and a sailmaker" },
    ],
  },
  {
    version: "renamed",
    edits: [{ file: INDEX, from: "/guides/tubes/", to: "/guides/inner-tubes/" }],
    move: ["src/pages/guides/tubes.astro", "src/pages/guides/inner-tubes.astro"],
  },
  {
    version: "deleted",
    edits: [
      { file: INDEX, from: `our <a href="/prices/">prices</a>`, to: "our prices in the shop" },
      { file: WINTER, from: ` See the <a href="/prices/">prices</a>.`, to: "" },
    ],
    remove: "src/pages/prices.astro",
  },
  {
    version: "post-edited",
    edits: [{ file: "src/content/blog/new-stand.md", from: "one of oak", to: "one of steel and ash" }],
  },
];

/** Builds all versions, or reuses those of an earlier run with the same sources. */
export async function buildSites(): Promise<BuiltSites> {
  const folder = join(BUILT, `strangers-${await hashSources()}`);
  if (!(await exists(folder))) {
    const work = await mkdtemp(join(tmpdir(), "imprint-strangers-build-"));
    const environment = { ...process.env, NODE_ENV: "production", ASTRO_TELEMETRY_DISABLED: "1" };
    const program = fork(BUILD_PROGRAM, { cwd: work, env: environment });
    await buildSecond(work, program)
      .then(() => buildFirst(work, program))
      .finally(() => program.kill());
    await mkdir(BUILT, { recursive: true });
    const whole = await mkdtemp(join(BUILT, "strangers-build-"));
    await cp(work, whole, { recursive: true });
    await rm(work, { recursive: true });
    await rename(whole, folder).catch(async (error: unknown) => {
      // Another run was faster.
      await rm(whole, { recursive: true, force: true });
      if (!(await exists(folder))) throw error;
    });
  }
  const at = (version: Version) => join(folder, version);
  return {
    first: at("first"),
    changed: at("changed"),
    renamed: at("renamed"),
    deleted: at("deleted"),
    "post-edited": at("post-edited"),
    "second-site": at("second-site"),
  };
}

/** Copies a version's build and posts to a project folder. Keeps the memory. */
export async function putVersion(built: string, project: string): Promise<void> {
  for (const folder of ["dist", "src"]) {
    await rm(join(project, folder), { recursive: true, force: true });
    await cp(join(built, folder), join(project, folder), { recursive: true });
  }
}

/** Creates a project folder like `npm create astro`, without memory. */
export async function createProject(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "imprint-stranger-"));
  await writeFile(join(root, "package.json"), JSON.stringify({ name: "site", private: true, type: "module" }));
  await symlink(MODULES, join(root, "node_modules"));
  return root;
}

async function buildFirst(work: string, program: ChildProcess): Promise<void> {
  const source = join(work, "source-one");
  await cp(join(SITES, "one"), source, { recursive: true });
  await linkPackages(source);
  await writePicture(join(source, "public/logo.png"), [96, 96, "#0b5d4e"]);
  await writePicture(join(source, "public/waves.png"), [64, 32, "#9fc9c0"]);
  await writePicture(join(source, "public/frost.png"), [80, 40, "#dfefff"]);
  await writePicture(join(source, "public/Tube Photo.png"), [120, 80, "#333333"]);
  await writePicture(join(source, "src/workshop.png"), [640, 400, "#b5651d"]);
  await writePicture(join(source, "src/content/blog/images/lighthouse.png"), [200, 120, "#f2f2ea"]);
  await writePicture(join(source, "src/content/blog/images/stand.png"), [90, 150, "#8c6239"]);
  await cp(FONT, join(source, "src/styles/literata.woff2"));
  // Sites with more than a few pages have linked style sheets.
  const config = `export default { build: { inlineStylesheets: "never" } };`;
  await writeFile(join(source, "astro.config.mjs"), config);
  for (const { version, edits, move, remove } of STEPS) {
    for (const edit of edits) await applyEdit(source, edit);
    if (move !== undefined) await rename(join(source, move[0]), join(source, move[1]));
    if (remove !== undefined) await rm(join(source, remove));
    await buildVersion(program, source, join(work, version));
  }
  await rm(source, { recursive: true });
}

async function buildSecond(work: string, program: ChildProcess): Promise<void> {
  const source = join(work, "source-two");
  await cp(join(SITES, "two"), source, { recursive: true });
  await linkPackages(source);
  await writePicture(join(source, "public/linden.png"), [128, 128, "#5a8f3c"]);
  await writePicture(join(source, "public/petals.png"), [40, 40, "#f6d5e5"]);
  await writePicture(join(source, "src/content/blog/chair.png"), [100, 140, "#7a4a21"]);
  await buildVersion(program, source, join(work, "second-site"));
  await rm(source, { recursive: true });
}

async function applyEdit(source: string, { file, from, to }: Edit): Promise<void> {
  const path = join(source, file);
  const text = await readFile(path, "utf8");
  if (!text.includes(from)) throw new Error(`${file} does not hold "${from}".`);
  await writeFile(path, text.replace(from, to));
}

async function buildVersion(program: ChildProcess, source: string, target: string): Promise<void> {
  await writeFile(join(source, "package.json"), JSON.stringify({ name: "site", private: true, type: "module" }));
  program.send(source);
  const [answer]: readonly unknown[] = await Promise.race([once(program, "message"), once(program, "exit")]);
  if (answer !== "built") throw new Error(`${source} can't be built.`);
  await mkdir(target, { recursive: true });
  await rename(join(source, "dist"), join(target, "dist"));
  await cp(join(source, "src"), join(target, "src"), { recursive: true });
}

async function writePicture(path: string, [width, height, color]: readonly [number, number, string]): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const corner = { create: { width: 8, height: 8, channels: 3, background: "#101010" } } as const;
  // A flat image would compress to almost nothing; the corner shows the orientation.
  await sharp({ create: { width, height, channels: 3, background: color } })
    .composite([{ input: await sharp(corner).png().toBuffer(), left: 4, top: 4 }])
    .png()
    .toFile(path);
}

async function hashSources(): Promise<string> {
  const hash = createHash("sha256").update(await readFile(fileURLToPath(import.meta.url)));
  for (const path of (await fastGlob.glob("**", { cwd: SITES, dot: true })).toSorted()) {
    hash.update(path).update(await readFile(join(SITES, path)));
  }
  return hash.digest("hex").slice(0, 16);
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
