import { expect, test } from "vitest";
import type { Service } from "../../../src/service.ts";
import { clientOf, openService } from "../open-service.ts";
import { signIn } from "./signed-in.ts";

async function openAsked(): Promise<Service> {
  const service = openService();
  const a = clientOf(service, { routeSet: "a" });
  const b = clientOf(service, { routeSet: "b" });
  await a("PUT", "/api/pages/about", { json: { html: "<h1>About</h1>" } });
  await a("GET", "/api/pages/none");
  await b("GET", "/api/pages?q=secret-word");
  return service;
}

test.for([
  ["", ["POST /sign-in", "GET /b/api/pages", "GET /a/api/pages/none", "PUT /a/api/pages/about"]],
  ["?outcome=problem", ["GET /a/api/pages/none"]],
  ["?method=PUT", ["PUT /a/api/pages/about"]],
  ["?routeSet=b", ["GET /b/api/pages"]],
  ["?q=ABOUT&method=", ["PUT /a/api/pages/about"]],
  ["?q=nothing-like-this", []],
  ["?method=GET&sort=oldest", ["GET /a/api/pages/none", "GET /b/api/pages"]],
] as const)("the log lists requests, newest first: %s", async ([query, expected]) => {
  const service = await openAsked();
  const { get } = await signIn(service);
  const html = await (await get(`/requests${query}`)).text();
  const requests = Array.from(html.matchAll(/<code>([A-Z]+ \/[^<]*)<\/code>/g), ([, request]) => request);
  expect(requests).toEqual(expected);
});

test("the log shows neither queries nor keys", async () => {
  const service = await openAsked();
  const { get } = await signIn(service);
  const html = await (await get("/requests")).text();
  expect(html).not.toContain("secret-word");
  expect(html).not.toContain(service.apiKey);
});

test("the log shows the problem and the id of a request, by which it can be found", async () => {
  const service = openService();
  const send = clientOf(service, { routeSet: "a" });
  await send("GET", "/api/pages/none", { headers: { "X-Request-Id": "build-42" } });
  await send("GET", "/api/pages");
  const { get } = await signIn(service);
  const html = await (await get("/requests?q=build-42")).text();
  expect(html.match(/<code>GET/g)).toHaveLength(1);
  expect(html).toContain("page_not_found");
  expect(html).toContain("build-42</code>");
});

test("the log shows the name of the key that sent a request", async () => {
  const service = openService();
  const send = clientOf(service, { routeSet: "a" });
  const { apiKey } = await service.createKey({ name: "Night build" });
  await send("GET", "/api/pages", { apiKey });
  await send("GET", "/api/pages", { apiKey: null });
  const { get } = await signIn(service);
  const html = await (await get("/requests")).text();
  expect(html).toMatch(/without a key.*Night build/s);
});

test("a long log continues on the next page", async () => {
  const service = openService();
  const send = clientOf(service, { routeSet: "a" });
  for (let count = 0; count < 51; count++) await send("GET", "/api/account");
  const { get } = await signIn(service);
  const first = await (await get("/requests?method=GET")).text();
  const path = /href="(\/requests\?[^"]*after=[^"]*)"/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const second = await (await get(path)).text();
  expect(second.match(/<code>GET/g)).toHaveLength(1);
});

test("the log can be sorted by duration, slowest first, across pages", async () => {
  const service = openService();
  const send = clientOf(service, { routeSet: "a" });
  for (let count = 0; count < 60; count++) await send("GET", "/api/account");
  const { get } = await signIn(service);
  const first = await (await get("/requests?sort=slowest")).text();
  const path = /href="(\/requests\?[^"]*after=[^"]*)"/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const html = first + (await (await get(path)).text());
  const durations = Array.from(html.matchAll(/>([\d.]+)\u00a0ms</g), ([, ms]) => Number(ms));
  expect(durations).toHaveLength(61);
  expect(durations).toEqual(durations.toSorted((left, right) => right - left));
});
