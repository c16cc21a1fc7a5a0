import { execFile, spawn } from "node:child_process";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import type { RunningService } from "../../../src/service.ts";
import { openRunningService } from "../open-service.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { approve } from "./consent.ts";

// The package's own command starts this one, but looks for it only where a checkout has it.
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

it("lists the tools to the inspector, which accepts their schemas", async () => {
  const { answer, stderr } = await inspect(await openRunningService(), "--method", "tools/list", "--strict");
  expect(answer["tools"]).toContainEqual(expect.objectContaining({ name: "brand_kits_extract" }));
  expect(stderr).toBe("");
});

it("publishes a page from the inspector", async () => {
  const service = await openRunningService();
  const call = ["--method", "tools/call", "--tool-name", "pages_put", "--tool-arg", "slug=hello", "html=<p>hello"];
  const { answer } = await inspect(service, ...call);
  expect(answer).toMatchObject({ structuredContent: { slug: "hello" } });
  expect(await (await fetch(`${service.pagesUrl}/p/hello`)).text()).toBe("<p>hello");
});

interface Login {
  readonly service: RunningService;
  /** Where the inspector stores its tokens between two runs. */
  readonly home: string;
}

/** Runs the inspector without a key. When it opens the browser, the owner approves. */
async function inspectAsOwner({ service, home }: Login, ...args: readonly string[]) {
  const callback = `http://127.0.0.1:${await findFreePort()}/oauth/callback`;
  const target = [`${service.url}/mcp`, "--transport", "http", "--callback-url", callback];
  const child = spawn(process.execPath, [inspector, ...target, ...args], {
    // It prints the address if it can't open a browser, as with this PATH.
    env: { PATH: home, HOME: home, MCP_AUTO_OPEN_ENABLED: "true", MCP_INSPECTOR_SECRET_STORE: "file" },
  });
  onTestFinished(() => void child.kill());
  const read = { stdout: "", stderr: "" };
  let isSentAway = false;
  child.stdout.setEncoding("utf8").on("data", (part: string) => (read.stdout += part));
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    read.stderr += part;
    const address = /navigate to: (http\S+)\s/.exec(read.stderr)?.[1];
    if (address === undefined || isSentAway) return;
    isSentAway = true;
    void approve(service, new URL(address)).then((fields) => fetch(`${callback}?${fields.toString()}`));
  });
  const exitCode = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { exitCode, isSentAway, answer: exitCode === 0 ? JSON.parse(read.stdout) : read.stderr };
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen({ port: 0, host: "127.0.0.1" }, resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

it("signs in the inspector with OAuth, and renews its token without another sign-in", async () => {
  let time = Date.now();
  const service = await openRunningService({ now: () => new Date(time) });
  const login = { service, home: await temporaryFolder() };
  const call = ["--method", "tools/call", "--tool-name", "pages_put", "--tool-arg", "slug=hello", "html=<p>hello"];
  const first = await inspectAsOwner(login, ...call);
  expect(first).toMatchObject({ exitCode: 0, isSentAway: true, answer: { structuredContent: { slug: "hello" } } });
  time += 2 * 60 * 60 * 1000;
  const second = await inspectAsOwner(login, "--method", "tools/call", "--tool-name", "pages_list");
  expect(second).toMatchObject({ exitCode: 0, isSentAway: false });
  expect(second.answer).toMatchObject({ structuredContent: { data: [{ slug: "hello" }] } });
}, 60_000);
