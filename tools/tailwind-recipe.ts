// Builds and publishes a site with Tailwind CSS 4 as docs/recipes.md says, looks at it in a browser, and gives the kit that
// was extracted from it back to Tailwind: `node tools/tailwind-recipe.ts`, after `npm run build`, with the registry at
// hand. Tailwind is installed into a temporary folder, since nothing else needs its 37 packages.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
// The built one, as `astro build` in the site loads it.
import { startService } from "astro-imprint-service";
import { launchBrowser } from "../test/browser.ts";
import { linkPackages } from "../test/link-packages.ts";

const repository = fileURLToPath(new URL("..", import.meta.url));
const PRIMARY = { hex: "#0d4658", computed: "rgb(13, 70, 88)" };

const FILES = {
  "package.json": '{ "type": "module" }',
  "astro.config.mjs": `import tailwindcss from "@tailwindcss/vite";
import imprint from "astro-imprint";
import { defineConfig } from "astro/config";

export default defineConfig({ vite: { plugins: [tailwindcss()] }, integrations: [imprint()] });`,
  "src/styles/global.css": `@import "tailwindcss";\n@theme {\n  --color-primary: ${PRIMARY.hex};\n}`,
  "src/pages/index.astro": `---
import "../styles/global.css";
---
<html lang="en"><head><title>Loaf</title></head><body class="font-sans">
<main class="mx-auto max-w-prose p-8"><h1 class="text-4xl text-primary">Loaf</h1>
<a class="inline-block rounded-lg bg-primary px-4 py-2 text-white" href="/">Order</a></main></body></html>`,
};

// Outside of the repository, of which Tailwind would read far more than the site.
const root = mkdtempSync(join(tmpdir(), "tailwind-site-"));
const packages = mkdtempSync(join(tmpdir(), "tailwind-recipe-"));
const service = await startService({ ephemeral: true, port: 0, pagesPort: 0 });
const browser = await launchBrowser();
try {
  const { apiKey } = await service.createKey({ name: "tailwind" });
  const env = {
    ...{ PATH: process.env["PATH"], HOME: root, NODE_ENV: "production", ASTRO_TELEMETRY_DISABLED: "1" },
    ...{ IMPRINT_SERVICE: service.baseUrl("a"), IMPRINT_API_KEY: apiKey },
  };
  const run = async (program: string, ...parameters: readonly string[]): Promise<string> =>
    (await promisify(execFile)(process.execPath, [join(repository, program), ...parameters], { cwd: root, env }))
      .stdout;
  await installPackages();
  for (const [path, text] of Object.entries(FILES)) write(path, text);

  await run("node_modules/astro/bin/astro.mjs", "build");
  check("the published button has Tailwind's color", await readColor(), PRIMARY.computed);
  const explained = await run("dist/cli.js", "brand", "explain", "primary");
  check("brand explain names the variable of @theme", /--color-primary/.exec(explained)?.[0], "--color-primary");

  const theme = await run("dist/cli.js", "brand", "export", "--format", "tailwind");
  write("src/styles/global.css", `@import "tailwindcss";\n${theme}`);
  await run("node_modules/astro/bin/astro.mjs", "build");
  check("a build with the exported @theme has the same color", await readColor(), PRIMARY.computed);
} finally {
  await browser.close();
  await service.close();
  for (const folder of [root, packages]) rmSync(folder, { recursive: true, force: true });
}

async function installPackages(): Promise<void> {
  const parameters = ["--ignore-scripts", "--no-audit", "--no-fund", "tailwindcss@4", "@tailwindcss/vite@4"];
  await promisify(execFile)("npm", ["install", "--prefix", packages, ...parameters]);
  await linkPackages(root);
  for (const name of ["tailwindcss", "@tailwindcss"]) {
    symlinkSync(join(packages, "node_modules", name), join(root, "node_modules", name));
  }
  symlinkSync(repository, join(root, "node_modules/astro-imprint"));
}

/** The background of the button on the page as it is published. */
async function readColor(): Promise<unknown> {
  const page = await browser.newPage();
  await page.goto(`${service.pagesUrl}/p/index`);
  return await page.evaluate('getComputedStyle(document.querySelector("main a")).backgroundColor');
}

function check(promise: string, found: unknown, wanted: string): void {
  console.log(`${promise.padEnd(52)} ${found === wanted ? "ok" : `no: ${String(found)}`}`);
  if (found !== wanted) process.exitCode = 1;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
