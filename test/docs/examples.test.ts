import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { describeTree } from "../../src/cli/completion/command-tree.ts";
import { createProgram } from "../../src/cli/program.ts";
import { embeddedOf } from "../../src/cli/served-project.ts";
import { EVENT_TYPES } from "../../src/contract/extension-records.ts";
import { LIMITS } from "../../src/contract/limits.ts";
import { PROBLEMS } from "../../src/contract/problems.ts";

const docs = new URL("../../docs/", import.meta.url);
const read = (path: string) => readFile(new URL(path, docs), "utf8");
const out = { write() {} };

it("the systemd unit uses only existing flags of `imprint serve`", async () => {
  const tree = describeTree(createProgram({ cwd: "", environment: {}, out, error: out }, () => {}));
  const serve = tree.commands.find(({ name }) => name === "serve");
  const known = serve?.flags.flatMap(({ names }) => names);
  const call = /^ExecStart=.*\/imprint serve (.*)$/m.exec(await read("server.md"))?.[1] ?? "";
  const used = call.match(/--[a-z-]+/g) ?? [];
  expect(used).toEqual(["--data", "--trust-proxy", "--log"]);
  expect(known).toEqual(expect.arrayContaining(used));
});

it("the nginx configuration explains each line, and allows the library's largest file", async () => {
  const page = await read("server.md");
  const [, configuration = ""] = /```nginx\n([\s\S]*?)```/.exec(page) ?? [];
  const lines = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, line]) => line);
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(configuration).toContain(`${line};`);
  const megabytes = Number(/client_max_body_size (\d+)m;/.exec(configuration)?.[1]);
  expect(megabytes * 1024 * 1024).toBeGreaterThan(LIMITS.maxAssetBytes);
  const { port, pagesPort } = embeddedOf(undefined);
  expect(configuration.match(/127\.0\.0\.1:\d+/g)).toEqual([`127.0.0.1:${port}`, `127.0.0.1:${pagesPort}`]);
});

it("the API page describes every problem code under its status", async () => {
  const [, table = ""] = (await read("service-api.md")).split("### Problem codes");
  const rows = [...table.matchAll(/^\| (\d+) \| (.*) \|$/gm)];
  const listed = rows.flatMap(([, status, codes = ""]) =>
    [...codes.matchAll(/`(\w+)`/g)].map(([, code]) => `${status} ${code}`),
  );
  const all = Object.entries(PROBLEMS).map(([code, { status }]) => `${status} ${code}`);
  expect(listed.toSorted()).toEqual(all.toSorted());
});

it("the webhooks page describes every event", async () => {
  const described = [...(await read("webhooks.md")).matchAll(/^\| `(\w+\.\w+)` \|/gm)].map(([, type]) => type);
  expect(described).toEqual([...EVENT_TYPES, "webhook.test"]);
});
