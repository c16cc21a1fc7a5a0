import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { failureOf, type RequestEvent } from "../../../src/client.ts";
import { API_KEY, failure, testClient } from "../clients.ts";
import { startHost, startSocketHost, type Answered } from "../host.ts";

const PAGE = { slug: "home", html: "<title>Home</title>", title: "Home" };
const DONE: Answered = { body: { id: "pg_1", slug: "home", url: "/edit/pg_1" } };

describe("a request", () => {
  it("contains the key, the body, and its length, and no cookie or implicit encoding", async () => {
    const { baseUrl, received } = await startHost(() => DONE);
    await testClient({ baseUrl: `${baseUrl}/v1/`, userAgent: "test/1" }).pages.update(PAGE);
    expect(received[0]).toMatchObject({
      method: "PUT",
      path: "/v1/api/pages/home",
      headers: {
        authorization: `Bearer ${API_KEY}`,
        "content-type": "application/json",
        "accept-encoding": "identity",
        "user-agent": "test/1",
      },
    });
    expect(JSON.parse(String(received[0]?.body))).toEqual({ html: PAGE.html, title: "Home" });
    expect(received[0]?.headers["content-length"]).toBe(String(received[0]?.body.length));
  });

  it("encodes each parameter as one path segment, and rejects values that would change the path", async () => {
    const { baseUrl, received } = await startHost(() => DONE);
    const api = testClient({ baseUrl });
    await api.pages.get("a/../b?c#d é");
    expect(received[0]?.path).toBe("/api/pages/a%2F..%2Fb%3Fc%23d%20%C3%A9");
    for (const slug of ["", ".", "..", "\ud800"]) {
      expect((await failure(api.pages.get(slug))).code).toBe("SLUG_INVALID");
    }
    expect(received).toHaveLength(1);
  });

  it("shares connections: a hundred concurrent requests stay within the limit, without warnings", async () => {
    const ports = new Set<number>();
    const baseUrl = await startSocketHost((socket) => {
      ports.add(socket.remotePort ?? 0);
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n{"slug":"home"}');
    });
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on("warning", onWarning);
    const { signal } = new AbortController();
    const api = testClient({ baseUrl, maxConnections: 4, signal });
    await Promise.all(
      Array.from({ length: 100 }, () => api.pages.get("home", { signal: new AbortController().signal })),
    );
    process.off("warning", onWarning);
    expect(ports.size).toBeLessThanOrEqual(4);
    expect(warnings).toEqual([]);
  });
});

describe("a request that failed temporarily", () => {
  it.each([500, 502, 503, 504, 408])("with %i is retried with the same body", async (status) => {
    const { baseUrl, received } = await startHost((_, count) => (count < 3 ? { status, body: "busy" } : DONE));
    expect(await testClient({ baseUrl }).pages.update(PAGE)).toMatchObject({ id: "pg_1" });
    expect(received).toHaveLength(3);
    expect(new Set(received.map(({ body }) => String(body))).size).toBe(1);
  });

  it("with a dropped connection, a truncated body, or invalid JSON is retried", async () => {
    const answers = [
      "",
      'HTTP/1.1 200 OK\r\nContent-Length: 99\r\nConnection: close\r\n\r\n{"id',
      'HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\n{"id',
      'HTTP/1.1 200 OK\r\nContent-Length: 15\r\nConnection: close\r\n\r\n{"slug":"home"}',
    ];
    const failures: unknown[] = [];
    const baseUrl = await startSocketHost((socket) => socket.end(answers.shift() ?? ""));
    const api = testClient({ baseUrl, onRequest: ({ failure }) => failures.push(failure) });
    expect(await api.pages.update(PAGE)).toMatchObject({ slug: "home" });
    expect(failures).toEqual(["UND_ERR_SOCKET", "UND_ERR_RES_CONTENT_LENGTH_MISMATCH", "BAD_JSON", undefined]);
  });

  it("fails after the allowed number of attempts, with the request id in the error", async () => {
    const { baseUrl, received } = await startHost(() => ({
      status: 503,
      headers: { "x-request-id": "req_42" },
      body: { title: "Not available.", detail: "Maintenance" },
    }));
    const error = await failure(testClient({ baseUrl, maxAttempts: 3 }).pages.update(PAGE));
    expect(received).toHaveLength(3);
    expect(error.code).toBe("SERVICE_FAILED");
    expect(error.message).toBe(
      `${baseUrl} failed on PUT /api/pages/home (503). Not available. Maintenance. Request id: req_42.`,
    );
  });

  it("waits as long as Retry-After says, in seconds or until a date", async () => {
    const waits: number[] = [];
    const headers = [
      { "retry-after": "7" },
      { "retry-after": "Sat, 01 Aug 2026 12:00:09 GMT", date: "Sat, 01 Aug 2026 12:00:00 GMT" },
    ];
    const { baseUrl } = await startHost((_, count) => {
      const header = headers[count - 1];
      return header === undefined ? DONE : { status: 503, headers: header };
    });
    const sleep = async (ms: number) => void waits.push(ms);
    await testClient({ baseUrl, sleep, random: () => 0 }).pages.update(PAGE);
    expect(waits).toEqual([7000, 9000]);
  });

  it("isn't retried if the service requests a longer delay than the limit", async () => {
    const { baseUrl, received } = await startHost(() => ({ status: 429, headers: { "retry-after": "61" } }));
    const error = await failure(testClient({ baseUrl }).pages.update(PAGE));
    expect([error.code, error.message]).toEqual([
      "RATE_LIMITED",
      `${baseUrl} asks imprint to slow down for 61 s (429).`,
    ]);
    expect(failureOf(error)).toMatchObject({ status: 429, retryAfterMs: 61_000 });
    expect(received).toHaveLength(1);
  });

  const full = "Your plan allows 2 images.";

  it.each([
    [full, {}, "SERVICE_REFUSED"],
    ["Storage limit of your account exceeded", {}, "SERVICE_REFUSED"],
    [full, { "retry-after": "61" }, "RATE_LIMITED"],
    [full, { "ratelimit-remaining": "0", "ratelimit-reset": "90" }, "RATE_LIMITED"],
    ["Your plan allows 60 requests per minute.", {}, "RATE_LIMITED"],
    ["Your account exceeded its rate limit", {}, "RATE_LIMITED"],
    ["The monthly limit of your plan is exhausted: 100 images", {}, "RATE_LIMITED"],
    ["Quota exceeded", {}, "RATE_LIMITED"],
  ] as const)("that got 429 and %j with the headers %j ends as %s", async (message, headers, code) => {
    const { baseUrl } = await startHost(() => ({ status: 429, headers, body: { message } }));
    const client = testClient({ baseUrl, sleep: async () => {}, maxThrottledMs: 20_000 });
    expect(await failure(client.pages.update(PAGE))).toMatchObject({ code });
  });

  it("with 429 responses eventually succeeds", async () => {
    const { baseUrl, received } = await startHost((_, count) => {
      return count < 30 ? { status: 429, headers: { "retry-after": "1" } } : DONE;
    });
    await testClient({ baseUrl, random: () => 0 }).pages.update(PAGE);
    expect(received).toHaveLength(30);
  });
});

describe("a creation", () => {
  it("isn't retried after an ambiguous response", async () => {
    const { baseUrl, received } = await startHost(() => ({ status: 503 }));
    const api = testClient({ baseUrl });
    await failure(api.sites.create({ name: "Site" }));
    await failure(api.sites.create({ name: "Site" }, { idempotencyKey: "key-1" }));
    await failure(api.assets.upload({ name: "a.png", contentType: "image/png", bytes: Buffer.from("x") }));
    expect(received).toHaveLength(3);
    expect(received[1]?.headers["idempotency-key"]).toBe("key-1");
  });

  it("is retried, with the same bytes and key, if the caller declares it safe", async () => {
    const { baseUrl, received } = await startHost((_, count) => {
      return count === 1 ? { status: 503 } : { status: 201, body: { id: "as_1", url: "/a.png" } };
    });
    const asset = { name: "a.png", contentType: "image/png", bytes: Buffer.from("x") };
    await testClient({ baseUrl }).assets.upload(asset, { idempotencyKey: "key-1", repeat: "always" });
    expect(received.map(({ headers }) => headers["idempotency-key"])).toEqual(["key-1", "key-1"]);
    expect(received[0]?.body).toEqual(received[1]?.body);
  });

  it("isn't retried without a key, even if the caller declares it safe", async () => {
    const { baseUrl, received } = await startHost(() => ({ status: 503 }));
    await failure(testClient({ baseUrl }).sites.create({ name: "Site" }, { repeat: "always" }));
    expect(received).toHaveLength(1);
  });

  it("of a post is never retried", async () => {
    const { baseUrl, received } = await startHost(() => ({ status: 429, headers: { "retry-after": "0" } }));
    const api = testClient({ baseUrl });
    const options = { idempotencyKey: "key-1", repeat: "always" } as const;
    await failure(api.posts.create("bl_1", { slug: "a", title: "A", html: "" }, options));
    expect(received).toHaveLength(1);
  });
});

describe("an abort", () => {
  it("ends a request in progress, and names it", async () => {
    const stop = new AbortController();
    const { baseUrl } = await startHost(() => {
      stop.abort();
      return new Promise(() => {});
    });
    const error = await failure(testClient({ baseUrl }).pages.update(PAGE, { signal: stop.signal }));
    expect([error.code, error.message]).toEqual(["ABORTED", "PUT /api/pages/home was interrupted."]);
  });

  it("of the whole client ends the delay before the next attempt", async () => {
    const stop = new AbortController();
    const { baseUrl, received } = await startHost(() => {
      setImmediate(() => stop.abort());
      return { status: 503, headers: { "retry-after": "50" } };
    });
    const api = testClient({ baseUrl, signal: stop.signal, sleep: undefined });
    expect((await failure(api.pages.update(PAGE))).code).toBe("ABORTED");
    expect(received).toHaveLength(1);
  });

  it("by closing the client leaves nothing open and rejects later requests", async () => {
    const { baseUrl } = await startHost(() => DONE);
    const api = testClient({ baseUrl });
    await api.pages.get("home");
    await api.close();
    expect((await failure(api.pages.get("home"))).code).toBe("ABORTED");
  });
});

const HTML = "<!doctype html><title>Welcome</title>";

describe("an error response", () => {
  it.each([
    [
      { status: 301, headers: { location: "https://www.example.org/api/pages/x" } },
      "SERVICE_WRONG_ADDRESS",
      "redirect (301) to https://www.example.org/api/pages/x",
    ],
    [{ body: HTML }, "SERVICE_WRONG_ADDRESS", 'with a web page instead of JSON "Welcome"'],
    [{ status: 404, body: HTML }, "SERVICE_WRONG_ADDRESS", "(404). Welcome."],
    [
      { status: 404, body: { code: "no_such_route", title: "There is no such route." } },
      "SERVICE_WRONG_ADDRESS",
      "no such route",
    ],
    [{ status: 405 }, "SERVICE_WRONG_ADDRESS", "doesn't have PUT /api/pages/x (405)"],
    [{ status: 401, body: { error: "who?" } }, "KEY_REJECTED", "rejected the API key (401). who?"],
    [{ status: 403, body: { error: "Not yours" } }, "KEY_REJECTED", "refused PUT /api/pages/x (403). Not yours."],
    [
      { status: 403, headers: { "www-authenticate": 'Bearer error="insufficient_scope", scope="pages:all"' } },
      "KEY_REJECTED",
      "needs the scope pages:all",
    ],
    [{ status: 402, body: { message: "Grow plan needed" } }, "PLAN_REQUIRED", "Grow plan needed."],
    [{ status: 412 }, "VERSION_MISMATCH", "(412)"],
    [{ status: 413, body: { title: "The page is too large." } }, "SERVICE_REFUSED", "too large"],
    [
      {
        status: 422,
        body: {
          code: "invalid_body",
          title: "Wrong.",
          errors: [
            { pointer: "/body/html", detail: "is empty" },
            { pointer: "/body/title", detail: "is long" },
          ],
        },
      },
      "SERVICE_REFUSED",
      "Wrong. /body/html: is empty. /body/title: is long.",
    ],
    [{ status: 501 }, "NOT_SUPPORTED", "doesn't implement PUT /api/pages/x (501)"],
    [{ status: 507, body: { title: "The service has no space left." } }, "SERVICE_FAILED", "no space left"],
  ] as const)("%j becomes %s", async (answer, code, words) => {
    const { baseUrl, received } = await startHost(() => answer);
    const error = await failure(testClient({ baseUrl }).pages.update({ ...PAGE, slug: "x" }));
    expect(error.code).toBe(code);
    expect(error.message).toContain(words);
    expect(received.length).toBe(1);
  });

  it("with 404 for a list means that the address is wrong, and the remedy mentions /api", async () => {
    const { baseUrl } = await startHost(() => ({ status: 404, body: { error: "Not Found" } }));
    const error = await failure(testClient({ baseUrl: `${baseUrl}/api` }).pages.list());
    expect(error.code).toBe("SERVICE_WRONG_ADDRESS");
    expect(error.hint).toBe(`Remove /api from the end of the service's address: ${baseUrl}`);
  });

  it("is the result of a body over the limit, with or without a declared length", async () => {
    const baseUrl = await startSocketHost((socket, request) => {
      const body = "x".repeat(2000);
      const chunked = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7d0\r\n${body}\r\n0\r\n\r\n`;
      const declared = `HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n${body}`;
      socket.write(request.includes("/chunked ") ? chunked : declared);
    });
    const api = testClient({ baseUrl, maxResponseBytes: 1000 });
    for (const slug of ["chunked", "declared"]) {
      const error = await failure(api.pages.get(slug));
      expect(error.code).toBe("RESPONSE_UNREADABLE");
      expect(error.message).toBe(`The response of ${baseUrl} to GET /api/pages/${slug} is larger than 1000 bytes.`);
    }
  });
});

it("loads no HTTP library before the first request, and accepts a byte order mark before JSON", async () => {
  const { baseUrl } = await startHost(() => ({ body: '\ufeff{"slug":"home"}' }));
  const script = `
    import { createRequire } from "node:module";
    import { createClient } from ${JSON.stringify(new URL("../../../src/client.ts", import.meta.url).href)};
    const isLoaded = () => Object.keys(createRequire(import.meta.url).cache).some((file) => file.includes("undici"));
    const api = createClient({ baseUrl: ${JSON.stringify(baseUrl)}, apiKey: "some-other-key", routeSet: "a" });
    const before = isLoaded();
    const { slug } = await api.pages.get("home");
    await api.close();
    console.log(before, isLoaded(), slug);
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
  expect(stdout).toBe("false true home\n");
});

it("reports every attempt to an observer", async () => {
  const events: RequestEvent[] = [];
  const { baseUrl } = await startHost((_, count) => {
    return count === 1 ? { status: 503, headers: { "retry-after": "2" }, body: "busy" } : DONE;
  });
  await testClient({ baseUrl, onRequest: (event) => events.push(event) }).pages.update(PAGE);
  const common = {
    operation: "pages.put",
    method: "PUT",
    path: "/api/pages/home",
    ms: expect.any(Number),
    bytesSent: 45,
  };
  expect(events).toEqual([
    { ...common, status: 503, failure: "SERVICE_FAILED", attempt: 1, bytesReceived: 4, retryAfterMs: 2000 },
    { ...common, status: 200, failure: undefined, attempt: 2, bytesReceived: 46, retryAfterMs: undefined },
  ]);
});
