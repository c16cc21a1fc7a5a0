import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor } from "../../src/client/transport/bearer.ts";
import { testClient } from "./clients.ts";
import { closedPort, startHost, startSocketHost, type Answered } from "./host.ts";

// One that URLs, JSON, and base64 encode differently, and one that could be a field name.
const KEYS = ["hosted-key_0123456789/abc+DEF=", "imposing_key_4fJ0aZ9kQ2"];

function formsOf(key: string): readonly string[] {
  return [key, encodeURIComponent(key), Buffer.from(key).toString("base64").replace(/=+$/, "")];
}

function echoesOf(key: string): readonly Answered[] {
  const echo = formsOf(key).join(" ");
  return [
    { status: 422, body: { title: echo, detail: echo, code: echo, errors: [{ pointer: echo, detail: echo }] } },
    { status: 500, headers: { "x-request-id": key }, body: { requestId: key } },
    { status: 502, body: `<!doctype html><title>${echo}</title>` },
    { status: 400, body: echo },
    { status: 307, headers: { location: `/login?key=${encodeURIComponent(key)}` } },
    { status: 403, headers: { "www-authenticate": `Bearer scope="${key}"` } },
    { status: 200, body: { [key]: key } },
    { status: 200, body: `{${echo}`, headers: { "content-encoding": key } },
    { status: 404, body: { code: "no_such_route", title: echo } },
    { status: 429, headers: { "retry-after": "900" }, body: { message: echo } },
  ];
}

describe.each(KEYS)("the key %s", (key) => {
  it.each(echoesOf(key))("is in no error, log line, or event if the service echoes it as %j", async (answer) => {
    const { baseUrl } = await startHost(() => answer);
    expect(await collectOutput(key, { baseUrl, slug: "home" })).toSatisfy(hasNo(key));
  });

  it("is in no error, log line, or event if the service fails or doesn't exist", async () => {
    const brokenUrl = await startSocketHost((socket, request) => socket.end(`HTTP/9.9 ${request}`));
    const absentUrl = `http://127.0.0.1:${await closedPort()}`;
    expect(await collectOutput(key, { baseUrl: brokenUrl, slug: "home" })).toSatisfy(hasNo(key));
    expect(await collectOutput(key, { baseUrl: absentUrl, slug: "home" })).toSatisfy(hasNo(key));
  });

  it("is in no error, log line, or event if a path contains it", async () => {
    const { baseUrl } = await startHost(() => ({ status: 500 }));
    expect(await collectOutput(key, { baseUrl, slug: key })).toSatisfy(hasNo(key));
  });
});

it.each(["k", "key", "e", "]"])(
  "a text from which the short key %s was removed stays the same when that is repeated",
  (key) => {
    const redact = createRedactor(key);
    const once = redact(`POST /api/brand-${key}its: not found`);
    expect(once).toContain("[key]its");
    expect(redact(redact(once))).toBe(once);
  },
);

it("a key is redacted from any text, in every encoding", () => {
  const character = fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code));
  fc.assert(
    fc.property(fc.string({ unit: character, minLength: 8 }), fc.string(), fc.string(), (key, before, after) => {
      const redact = createRedactor(key);
      for (const form of [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)]) {
        expect(redact(before + form + after)).not.toContain(form);
      }
    }),
  );
});

async function collectOutput(apiKey: string, { baseUrl, slug }: { baseUrl: string; slug: string }): Promise<string> {
  const seen: unknown[] = [];
  const log = (message: string) => void seen.push(message);
  const logger = { info: log, warn: log, error: log, debug: log };
  const api = testClient({ baseUrl, logger, apiKey, onRequest: (event) => seen.push(event) });
  const settled = await Promise.allSettled([
    api.pages.update({ slug, html: "<p>", title: "Home" }),
    api.assets.list(),
    api.posts.create(slug, { slug, title: "A", html: "" }),
  ]);
  const errors: readonly unknown[] = settled.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  expect(errors.length).toBeGreaterThanOrEqual(2);
  for (const error of errors) seen.push(error, JSON.stringify(error), error instanceof Error && error.stack);
  return inspect(seen, { depth: 20, showHidden: true, maxStringLength: null, maxArrayLength: null });
}

function hasNo(key: string): (seen: string) => boolean {
  return (seen) => formsOf(key).every((form) => !seen.includes(form));
}
