import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { chmodSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { startService } from "../../src/service.ts";
import { IS_WHOLE, sampleOf } from "../whole.ts";
import { atTerminal, KEYS, prompt, type Turn } from "./at-terminal.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const cli = join(repository, "dist/cli.js");
const astro = join(repository, "node_modules/astro/bin/astro.mjs");
const fixtures = join(repository, "test/fixtures");

const PAGE = "<html><head><title>Home</title></head><body><h1>Hello</h1></body></html>\n";
const DOCS = "---\ntitle: Guide\n---\n\nHow it works.\n";
const ADAPTER = `export default () => ({
  name: "adapter",
  hooks: {
    "astro:config:done": ({ setAdapter }) =>
      setAdapter({
        name: "adapter",
        serverEntrypoint: ${JSON.stringify(join(fixtures, "server-entry.js"))},
        entrypointResolution: "auto",
        supportedAstroFeatures: { serverOutput: "stable", staticOutput: "stable", sharpImageService: "stable" },
      }),
  },
});
`;

const STARTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  blank: { "src/pages/index.astro": PAGE },
  "blog template": {
    "astro.config.mjs": `// @ts-check
import { defineConfig } from 'astro/config';
import mdx from '@astrojs/mdx';
import sitemap from '@astrojs/sitemap';

// https://astro.build/config
export default defineConfig({
	site: 'https://example.com',
	integrations: [mdx(), sitemap()],
});
`,
  },
  Starlight: {
    "astro.config.mjs": `import { defineConfig } from "astro/config";
import starlight from "@astrojs/starlight";

export default defineConfig({
  integrations: [
    starlight({
      title: "My Docs", // with [brackets]
      sidebar: [{ label: "Guide", slug: "guide" }],
    }),
  ],
});
`,
    "src/content.config.ts": `import { defineCollection } from "astro:content";
import { docsLoader } from "@astrojs/starlight/loaders";
import { docsSchema } from "@astrojs/starlight/schema";
export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };
`,
    "src/content/docs/index.md": DOCS,
    "src/content/docs/guide.md": DOCS,
  },
  "an adapter": {
    "astro.config.mjs": `import adapter from "./adapter.mjs";

export default {
  output: "server",
  adapter: adapter(),
};
`,
    "adapter.mjs": ADAPTER,
    "src/pages/index.astro": `---\nexport const prerender = true;\n---\n${PAGE}`,
  },
};

/** A project inside the repository, so that it finds its packages as if they were installed. */
async function openStart(name: string) {
  const root = await mkdtemp(join(repository, "test/sites/.start-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  if (name === "blog template") await cp(join(fixtures, "blog-template"), root, { recursive: true });
  for (const [path, text] of Object.entries(STARTS[name] ?? {})) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  await writeFile(
    join(root, "package.json"),
    `${JSON.stringify({ private: true, type: "module", dependencies: { astro: "*", "@astrojs/starlight": "*" } })}\n`,
  );
  await mkdir(join(root, ".git"));
  await writeFile(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
  await mkdir(join(root, "node_modules"));
  await symlink(repository, join(root, "node_modules/astro-imprint"));
  // Replaces the program that opens a browser.
  await mkdir(join(root, "bin"));
  writeFileSync(join(root, "bin/xdg-open"), `#!/bin/sh\necho "$1" >> '${root}/opened'\n`);
  chmodSync(join(root, "bin/xdg-open"), 0o755);
  const env = {
    ...{
      ASTRO_TELEMETRY_DISABLED: "1",
      CI: "",
      NODE_ENV: "",
      IMPRINT_SERVICE: "",
      IMPRINT_API_KEY: undefined,
      HOME: root,
    },
    PATH: `${join(root, "bin")}:${process.env["PATH"]}`,
  };
  const read = (path: string) => readFile(join(root, path), "utf8");
  const run = (command: readonly string[], turns: readonly Turn[]) =>
    atTerminal([process.execPath, ...command], { cwd: root, env, turns });
  return { root, read, run };
}

/** Reads the page that is shown while the service runs, then stops the service. */
const LOOK: Turn = [
  /Pages {2,}(http:\S+)\s/,
  async ([, address]) => {
    const home = await fetch(`${address}/p/index`);
    return home.status === 200 ? KEYS.interrupt : "";
  },
];
const POSTS: Turn = [prompt("src/content/blog has 3 posts"), KEYS.enter];
const OPEN: Turn = [prompt("Open your site now?"), KEYS.enter];

const WALKS = [
  { start: "blank", asked: [], config: 'integrations: [imprint({ service: "embedded" })]' },
  {
    start: "blog template",
    asked: [POSTS],
    config: "integrations: [mdx(), sitemap(), imprint({ service: 'embedded', posts: {} })],",
  },
  {
    start: "Starlight",
    asked: [],
    config: `    }),\n    imprint({ service: "embedded" }),\n  ],`,
  },
  {
    start: "an adapter",
    asked: [],
    config: `export default {\n  integrations: [imprint({ service: "embedded" })],\n  output: "server",`,
  },
] as const;

describe("imprint init, at a terminal of 80 by 24", () => {
  const sample = sampleOf(WALKS, ({ start }) => start === "blog template");

  it.each(sample)("leads from $start to an open page", async ({ start, asked, config }) => {
    const { read, run } = await openStart(start);
    const turns = [[prompt("Where do you want to publish?"), KEYS.enter] as const, ...asked, OPEN, LOOK];
    const { code, answered, text } = await run([cli, "init"], turns);
    expect({ code, answered, text }).toMatchObject({ code: 0, answered: turns.length });
    expect(await read("astro.config.mjs")).toContain(config);
    expect(await read(".gitignore")).toBe(".env\n.env.*.local\n.imprint/\ndist/\n");
    expect(await read("opened")).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/);
    expect(text).toContain("Commit imprint.lock.json");
    expect(text.split("\n").filter((line) => line.trimEnd().length > 300)).toEqual([]);
  });

  it.runIf(IS_WHOLE)(
    "asks only for missing values, changes nothing that exists, and reports it in a second run",
    async () => {
      const { read, run } = await openStart("blog template");
      const flags = ["--yes", "--no-publish"];
      expect(await run([cli, "init", ...flags], [])).toMatchObject({ code: 0 });
      const [config, ignored] = [await read("astro.config.mjs"), await read(".gitignore")];
      const again = await run([cli, "init", ...flags], []);
      expect(again).toMatchObject({
        code: 0,
        text: expect.stringContaining("astro.config.mjs  unchanged"),
      });
      expect([await read("astro.config.mjs"), await read(".gitignore")]).toEqual([config, ignored]);
    },
  );

  it("stores a key in .env, writes the workflow of the existing CI, and never prints the key", async () => {
    const service = await startService({ ephemeral: true, port: 0, pagesPort: 0 });
    onTestFinished(() => service.close());
    const { apiKey } = await service.createKey({ name: "test" });
    const { root, read, run } = await openStart("blank");
    await mkdir(join(root, ".github"));
    const { code, answered, raw } = await run(
      [cli, "init"],
      [
        [prompt("Where do you want to publish?"), KEYS.down + KEYS.enter],
        [prompt("Address of the service"), service.baseUrl("a") + KEYS.enter],
        [prompt("Publish from GitHub Actions too?"), KEYS.enter],
        [prompt("How do you want to sign in"), KEYS.down + KEYS.enter],
        [prompt("API key"), apiKey + KEYS.enter],
        [prompt("Open your site now?"), KEYS.enter],
      ],
    );
    expect({ code, answered, raw }).toMatchObject({ code: 0, answered: 6 });
    expect(raw).not.toContain(apiKey);
    expect(await read("astro.config.mjs")).toContain("integrations: [imprint(");
    expect(await read(".gitignore")).toBe(".env\n.env.*.local\n.imprint/\ndist/\n");
    expect(await read(".env")).toBe(`IMPRINT_API_KEY=${apiKey}\n`);
    expect(await read(".github/workflows/publish.yml")).toContain("npx imprint publish");
    expect(await read("opened")).toBe(`${service.pagesUrl}/p/index\n`);
  });

  it("adds the workflow that a flag names to a project that was set up before", async () => {
    const { root, read, run } = await openStart("blank");
    await mkdir(join(root, ".git"), { recursive: true });
    const config = 'import imprint from "astro-imprint";\nexport default { integrations: [imprint({ posts: {} })] };\n';
    await writeFile(join(root, "astro.config.mjs"), config);
    const init = (ci: string) => run([cli, "init", "--yes", "--no-publish", "--ci", ci], []);
    expect(await init("travis")).toMatchObject({
      code: 2,
      text: expect.stringContaining("--ci <name> can't be 'travis'. Choose from: github, gitlab."),
    });
    expect(await init("github")).toMatchObject({ code: 0, text: expect.stringContaining("+ .github/workflows/") });
    expect(await read(".github/workflows/publish.yml")).toContain("run: npx astro build");
    expect(await read("astro.config.mjs")).toBe(config);
  });

  it("prints the lines to add and keeps the config if it can't parse it", async () => {
    const { root, read, run } = await openStart("blank");
    const config =
      "const make = () => ({ integrations: [] });\nconst other = { integrations: [] };\nexport default make(other);\n";
    await writeFile(join(root, "astro.config.mjs"), config);
    const { code, text } = await run([cli, "init", "--yes"], []);
    expect({ code, text }).toMatchObject({
      code: 1,
      text: expect.stringContaining('integrations: [imprint({ service: "embedded" })]'),
    });
    expect(await read("astro.config.mjs")).toBe(config);
  });
});

describe("the first `astro build` at a terminal", () => {
  it("offers to set up the site, or else publishes and offers to show it", async () => {
    const { root, read, run } = await openStart("blank");
    await writeFile(
      join(root, "astro.config.mjs"),
      'import imprint from "astro-imprint";\nexport default { integrations: [imprint()] };\n',
    );
    const turns: readonly Turn[] = [
      [prompt("imprint has no service to publish to."), KEYS.no],
      [prompt("Start the service and open your site?"), KEYS.enter],
      LOOK,
    ];
    const { answered, text } = await run([astro, "build"], turns);
    expect({ answered, text }).toMatchObject({
      answered: 3,
      text: expect.stringContaining("No service is configured"),
    });
    expect(await read("opened")).toMatch(/^http:/);
    // After a first publish, it asks nothing.
    const again = await run([astro, "build"], []);
    expect(again).toMatchObject({ code: 0, text: expect.not.stringMatching(/\?\s*$/m) });
  });

  it.runIf(IS_WHOLE)("sets up the site on request, which builds and publishes it", async () => {
    const { root, read, run } = await openStart("blank");
    await writeFile(
      join(root, "astro.config.mjs"),
      'import imprint from "astro-imprint";\nexport default { integrations: [imprint()] };\n',
    );
    const turns: readonly Turn[] = [
      [prompt("imprint has no service to publish to."), KEYS.enter],
      [prompt("Where do you want to publish?"), KEYS.enter],
      [prompt("Open your site now?"), KEYS.no],
    ];
    const { code, answered, text } = await run([astro, "build"], turns);
    expect({ code, answered, text }).toMatchObject({ code: 0, answered: 3 });
    expect(await read("astro.config.mjs")).toContain('imprint({ service: "embedded" })');
    expect(text).toContain("Published to the embedded service.");
  });
});
