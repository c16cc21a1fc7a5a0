import { expect, it } from "vitest";
import { clientOf, openRunningService, openService } from "../open-service.ts";
import { authorizeProgram, registerProgram } from "../oauth/program.ts";
import { signIn } from "./signed-in.ts";

it("lists connected apps with their scopes, and disconnects one after a confirmation", async () => {
  const service = await openRunningService();
  const program = await registerProgram(service, { client_name: "<Pen> and paper" });
  const tokens = await authorizeProgram(service, program, { resource: service.url, approve: ["pages:read"] });
  const send = clientOf(service, { routeSet: "a" });
  const { get, post } = await signIn(service);
  const html = await (await get("/clients")).text();
  const path = /href="(\/clients\/[^"]+\/revoke)"/.exec(html)?.[1] ?? "";
  const question = await (await get(path)).text();
  const before = await send("GET", "/api/pages", { apiKey: tokens.access_token });
  const done = await post(path);
  const after = await send("GET", "/api/pages", { apiKey: tokens.access_token });
  const again = await get(path);
  expect(html).toContain("&lt;Pen&gt; and paper");
  expect(html).toContain("at 127.0.0.1:8123");
  expect(html).toContain("pages:read");
  expect(question).toContain("Disconnect “&lt;Pen&gt; and paper”?");
  expect([before.status, done.status, after.status, again.status]).toEqual([200, 303, 401, 404]);
  expect(done.headers.get("Location")).toBe("/clients?notice=grant-revoked");
});

it("explains how to connect an app if there is none", async () => {
  const { get } = await signIn(openService());
  const html = await (await get("/clients")).text();
  expect(html).toContain("No app is connected.");
});

it("finds apps by name or host, and disconnects the selected ones together", async () => {
  const service = await openRunningService();
  const send = clientOf(service, { routeSet: "a" });
  const names = ["Pen", "Pencil", "Brush"];
  const tokens = new Map<string, string>();
  for (const name of names) {
    const program = await registerProgram(service, { client_name: name });
    const { access_token: token } = await authorizeProgram(service, program, {
      resource: service.url,
      approve: ["pages:read"],
    });
    tokens.set(name, token);
  }
  const statuses = async () =>
    await Promise.all(
      names.map(async (name) => (await send("GET", "/api/pages", { apiKey: tokens.get(name) })).status),
    );
  const { get, post } = await signIn(service);
  const list = async (search: string) =>
    [...(await (await get(`/clients${search}`)).text()).matchAll(/aria-label="Select ([^"]*)"/g)].map(
      ([, name]) => name,
    );
  expect(await list("?sort=client")).toEqual(["Brush", "Pen", "Pencil"]);
  expect(await list("?q=pen&sort=oldest")).toEqual(["Pen", "Pencil"]);
  expect(await list("?q=127.0.0.1&sort=client")).toEqual(["Brush", "Pen", "Pencil"]);
  const fields = { all: "yes", back: "?q=pen", action: "revoke" };
  const question = await (await post("/clients/bulk", fields)).text();
  expect(question).toContain("Disconnect 2 apps?");
  expect(question).toContain("Their tokens stop working.");
  expect(await statuses()).toEqual([200, 200, 200]);
  const done = await (await post("/clients/bulk", { ...fields, confirmed: "yes" })).text();
  expect(done).toContain("2 apps disconnected.");
  expect(await statuses()).toEqual([401, 401, 200]);
  expect(await list("")).toEqual(["Brush"]);
});
