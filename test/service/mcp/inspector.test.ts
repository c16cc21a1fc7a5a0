import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import type { RunningService } from "../../../src/service.ts";
import { openRunningService } from "../open-service.ts";
import { temporaryFolder } from "../temporary-folder.ts";

// The package's own command starts this one, but looks for it where only a checkout has it.
const inspector = fileURLToPath(
  new URL("../../../node_modules/@modelcontextprotocol/inspector/clients/cli/build/index.js", import.meta.url),
);

async function inspect({ url, apiKey }: RunningService, ...args: readonly string[]) {
  const target = [`${url}/mcp`, "--transport", "http", "--header", `Authorization: Bearer ${apiKey}`];
  const home = await temporaryFolder();
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [inspector, ...target, ...args], {
    env: { PATH: process.env["PATH"], HOME: home },
    maxBuffer: 10_000_000,
  });
  const answer: Readonly<Record<string, unknown>> = JSON.parse(stdout);
  return { answer, stderr };
}

it("lists the tools to the inspector, which finds nothing to say against their schemas", async () => {
  const { answer, stderr } = await inspect(await openRunningService(), "--method", "tools/list", "--strict");
  expect(answer["tools"]).toContainEqual(expect.objectContaining({ name: "brand_kits_extract" }));
  expect(stderr).toBe("");
});

it("lets the inspector publish a page", async () => {
  const service = await openRunningService();
  const call = ["--method", "tools/call", "--tool-name", "pages_put", "--tool-arg", "slug=hello", "html=<p>hello"];
  const { answer } = await inspect(service, ...call);
  expect(answer).toMatchObject({ structuredContent: { slug: "hello" } });
  expect(await (await fetch(`${service.pagesUrl}/p/hello`)).text()).toBe("<p>hello");
});
