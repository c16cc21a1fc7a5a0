import { createServer as createTlsServer } from "node:https";
import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { outcomeOf } from "../../../src/client.ts";
import { ImprintError } from "../../../src/base/error.ts";
import { failure, testClient } from "../clients.ts";
import { closedPort, listen, startHost, startSocketHost } from "../host.ts";
import { SELF_SIGNED } from "../self-signed.ts";

const POST = { slug: "first", title: "First", html: "<p>Hello</p>" };

async function createPostAt(baseUrl: string) {
  const api = testClient({ baseUrl, timeoutMs: 300 });
  const error = await failure(api.posts.create("bl_1", POST));
  return { error, outcome: outcomeOf(error) };
}

describe("the outcome of creating a post", () => {
  it("is `not-sent` if nothing listens", async () => {
    const { error, outcome } = await createPostAt(`http://127.0.0.1:${await closedPort()}`);
    expect(outcome).toBe("not-sent");
    expect(error.code).toBe("SERVICE_UNREACHABLE");
    expect(error.message).toContain("Connection refused by http://127.0.0.1");
  });

  it("is `not-sent` if the host name doesn't exist", async () => {
    const { error, outcome } = await createPostAt("http://no-such-host.invalid");
    expect(outcome).toBe("not-sent");
    expect(error.message).toContain("host name in http://no-such-host.invalid can't be resolved");
  });

  it("is `not-sent` if the certificate is rejected", async () => {
    const server = createTlsServer(SELF_SIGNED, (_request, response) => response.end("{}"));
    const { error, outcome } = await createPostAt(`https://127.0.0.1:${await listen(server)}`);
    expect(outcome).toBe("not-sent");
    expect(error.code).toBe("SERVICE_UNREACHABLE");
    expect(error.message).toContain("certificate");
    expect(error.hint).toContain("NODE_EXTRA_CA_CERTS");
  });

  it("is `not-sent` if an https request reaches an http server", async () => {
    const { baseUrl } = await startHost(() => ({ body: {} }));
    const { error, outcome } = await createPostAt(baseUrl.replace("http:", "https:"));
    expect(outcome).toBe("not-sent");
    expect(error.code).toBe("SERVICE_WRONG_ADDRESS");
  });

  it.each<readonly [string, (socket: Socket) => void]>([
    ["resets the connection", (socket) => socket.resetAndDestroy()],
    ["closes the connection without a response", (socket) => socket.end()],
    ["stays silent", () => {}],
    [
      "stops in the middle of the body",
      (socket) => socket.write("HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n{"),
    ],
    ["cuts off the body", (socket) => socket.end('HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n{"id":1}')],
    ["returns something other than HTTP", (socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n")],
  ])("is `ambiguous` if a service that received it %s", async (_, react) => {
    const { error, outcome } = await createPostAt(await startSocketHost(react));
    expect(outcome).toBe("ambiguous");
    expect(error).toBeInstanceOf(ImprintError);
  });

  it.each([
    ["400 Bad Request", "refused"],
    ["401 Unauthorized", "refused"],
    ["402 Payment Required", "refused"],
    ["403 Forbidden", "refused"],
    ["404 Not Found", "refused"],
    ["405 Method Not Allowed", "refused"],
    ["410 Gone", "refused"],
    ["413 Content Too Large", "refused"],
    ["415 Unsupported Media Type", "refused"],
    ["422 Unprocessable Content", "refused"],
    ["429 Too Many Requests", "throttled"],
    ["302 Found", "ambiguous"],
    ["408 Request Timeout", "ambiguous"],
    ["409 Conflict", "ambiguous"],
    ["425 Too Early", "ambiguous"],
    ["499 Client Closed", "ambiguous"],
    ["500 Internal Server Error", "ambiguous"],
    ["502 Bad Gateway", "ambiguous"],
    ["503 Service Unavailable", "ambiguous"],
    ["504 Gateway Timeout", "ambiguous"],
  ])("after %s is `%s`", async (status, expected) => {
    // With it, a 403 is a rate limit.
    const wait = expected === "refused" ? "" : "Retry-After: 1\r\n";
    const answer = `HTTP/1.1 ${status}\r\nContent-Length: 2\r\n${wait}\r\n{}`;
    const { outcome } = await createPostAt(await startSocketHost((socket) => socket.end(answer)));
    expect(outcome).toBe(expected);
  });

  it.each([
    ["isn't JSON", '{"id":', "RESPONSE_UNREADABLE"],
    ["is a web page", "<!doctype html><title>Hi</title>", "SERVICE_WRONG_ADDRESS"],
    ["describes something else", '{"routes":{"/":1}}', "RESPONSE_UNREADABLE"],
  ])("is `ambiguous` if the response 201 %s", async (_, body, code) => {
    const answer = `HTTP/1.1 201 Created\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const { error, outcome } = await createPostAt(await startSocketHost((socket) => socket.end(answer)));
    expect(outcome).toBe("ambiguous");
    expect(error.code).toBe(code);
  });

  it("is `ambiguous` if the response reports that the idempotency key was used before", async () => {
    const body = '{"title":"Used","code":"idempotency_key_reused"}';
    const answer = `HTTP/1.1 422 Unprocessable Content\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const { outcome } = await createPostAt(await startSocketHost((socket) => socket.end(answer)));
    expect(outcome).toBe("ambiguous");
  });

  it("is `not-sent` if it is aborted before the request, and `ambiguous` if it is aborted during it", async () => {
    const stop = new AbortController();
    const baseUrl = await startSocketHost(() => stop.abort());
    const api = testClient({ baseUrl });
    const onTheWay = await failure(api.posts.create("bl_1", POST, { signal: stop.signal }));
    const before = await failure(api.posts.create("bl_1", POST, { signal: stop.signal }));
    expect([onTheWay.code, outcomeOf(onTheWay)]).toEqual(["ABORTED", "ambiguous"]);
    expect([before.code, outcomeOf(before)]).toEqual(["ABORTED", "not-sent"]);
  });
});

it("the outcome of an unknown error is `ambiguous`", () => {
  expect(outcomeOf(new ImprintError("NOT_SUPPORTED", "Route set B has no pages.get."))).toBe("not-sent");
  expect([undefined, "boom", new Error("boom"), new ImprintError("RESPONSE_UNREADABLE", "?")].map(outcomeOf)).toEqual(
    Array(4).fill("ambiguous"),
  );
});

it("sends a post once, on its own connection", async () => {
  const requests: string[] = [];
  const baseUrl = await startSocketHost((socket, request) => {
    requests.push(request);
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{"data":[]}');
  });
  const api = testClient({ baseUrl });
  await api.posts.list("bl_1");
  await failure(api.posts.create("bl_1", POST));
  await api.posts.list("bl_1");
  const connectionHeaders = requests.map((request) => /^connection: (.*)$/im.exec(request)?.[1]);
  expect(connectionHeaders).toEqual(["keep-alive", "close", "keep-alive"]);
});
