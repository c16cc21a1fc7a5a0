import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { rolldown } from "rolldown";
import { describe, expect, it, onTestFinished } from "vitest";
import type { RouteSetName } from "../../src/contract/route.ts";
import { clientOf, openRunningService, visit } from "../service/open-service.ts";

// Clients that third-party generators create from our OpenAPI documents: they compile in strict TypeScript without
// additional types, and publish a page.

const HERE = fileURLToPath(new URL(".", import.meta.url));

/** Publishes, reads, and deletes a page, and gets a typed error. */
const WITH_OPENAPI_FETCH = `
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";
type Page = components["schemas"]["Page"];
export async function publish(baseUrl: string, key: string) {
  const api = createClient<paths>({ baseUrl, headers: { Authorization: "Bearer " + key } });
  const path = { slug: "hello" };
  const put = await api.PUT("/api/pages/{slug}", { params: { path }, body: { html: "<h1>Hello</h1>", title: "Hello" } });
  const page: Page | undefined = put.data;
  const patched = await api.PATCH("/api/pages/{slug}", { params: { path }, body: { title: "Hello again" } });
  const list = await api.GET("/api/pages", { params: { query: { limit: 5 } } });
  const slugs: string[] | undefined = list.data?.data.map((each) => each.slug);
  const refused = await api.PUT("/api/pages/{slug}", { params: { path: { slug: "Not A Slug" } }, body: { html: "<p>" } });
  const code: string | undefined = refused.error?.code;
  return { version: page?.version, title: patched.data?.title, slugs, code };
}
`;

const WITH_HEY_API = `
import { pagesList, pagesPatch, pagesPut, type Page } from "./hey/index.js";
import { createClient } from "./hey/client/index.js";
export async function publish(baseUrl: string, key: string) {
  const client = createClient({ baseUrl, auth: key });
  const path = { slug: "hello" };
  const put = await pagesPut({ client, path, body: { html: "<h1>Hello</h1>", title: "Hello" } });
  const page: Page | undefined = put.data;
  const patched = await pagesPatch({ client, path, body: { title: "Hello again" } });
  const list = await pagesList({ client, query: { limit: 5 } });
  const slugs: string[] | undefined = list.data?.data.map((each) => each.slug);
  const refused = await pagesPut({ client, path: { slug: "Not A Slug" }, body: { html: "<p>" } });
  const code: string | undefined = refused.error?.code;
  return { version: page?.version, title: patched.data?.title, slugs, code };
}
`;

const GENERATORS = {
  "openapi-typescript and openapi-fetch": {
    program: "openapi-typescript/bin/cli.js",
    arguments: ["openapi.json", "--output", "schema.d.ts"],
    source: WITH_OPENAPI_FETCH,
  },
  "@hey-api/openapi-ts": {
    program: "@hey-api/openapi-ts/bin/run.js",
    arguments: ["--input", "openapi.json", "--output", "hey", "--client", "@hey-api/client-fetch", "--no-log-file"],
    source: WITH_HEY_API,
  },
} as const;

const COMPILER_OPTIONS = {
  strict: true,
  noEmit: true,
  noUncheckedIndexedAccess: true,
  target: "es2024",
  lib: ["es2024", "dom", "dom.iterable"],
  module: "esnext",
  moduleResolution: "bundler",
  types: [],
};

async function run(cwd: string, program: string, given: readonly string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, ...given], { cwd }).catch(
    (error) => error,
  );
  return `${stdout}${stderr}`;
}

describe.each(["a", "b"] as const)("a generated client for route set %s", (routeSet: RouteSetName) => {
  it.each(Object.entries(GENERATORS))("by %s compiles in strict mode and publishes a page", async (_, generator) => {
    const service = await openRunningService();
    const send = clientOf(service, { routeSet });
    // Below this folder, so that the generated code finds its imports.
    const folder = await mkdtemp(join(HERE, "generated-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, "openapi.json"), (await send("GET", "/openapi.json")).text);
    const said = await run(folder, join(HERE, "node_modules", generator.program), generator.arguments);
    await writeFile(join(folder, "use.ts"), generator.source);
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files: ["use.ts"] }),
    );
    const mistakes = await run(folder, fileURLToPath(import.meta.resolve("typescript/bin/tsc")), ["-p", "."]);
    expect([mistakes, mistakes === "" ? "" : said]).toEqual(["", ""]);

    const bundle = await rolldown({ input: join(folder, "use.ts"), platform: "node" });
    await bundle.write({ file: join(folder, "use.mjs"), codeSplitting: false });
    await bundle.close();
    const { publish } = await import(/* @vite-ignore */ pathToFileURL(join(folder, "use.mjs")).href);
    expect(await publish(service.baseUrl(routeSet), service.apiKey)).toEqual({
      ...{ version: 1, title: "Hello again", slugs: ["hello"], code: "invalid_slug" },
    });
    expect(await (await visit(service, "/p/hello")).text()).toContain("<h1>Hello</h1>");
  });
});
