import { expect, test } from "vitest";
import { openDomains, zoneFor } from "../domains/open-domains.ts";
import { signIn } from "./signed-in.ts";

const DOMAIN = { domain: "www.bakery.example", siteId: "" };

test("a domain can be added, configured, checked, and activated with forms", async () => {
  const { service, dns, a } = await openDomains();
  const { get, post } = await signIn(service);
  const added = await post("/domains", DOMAIN);
  const path = added.headers.get("Location")?.split("?")[0] ?? "";
  const waiting = await (await get(path)).text();
  const [record] = (await a("GET", "/api/custom-domains")).items;
  expect(waiting).toContain("_imprint.www.bakery.example");
  expect(waiting).toContain("imprint-verify=");
  expect(waiting).toContain("waiting for DNS");
  const early = await post(`${path}/check`);
  dns.set(zoneFor(record ?? {}));
  const late = await post(`${path}/check`);
  expect(early.headers.get("Location")).toBe(`${path}?notice=domain-checked`);
  expect(late.headers.get("Location")).toBe(`${path}?notice=domain-active`);
  expect(await (await get("/domains")).text()).toContain(">active</span>");
});

test("an invalid domain shows an error at its field", async () => {
  const { service, a } = await openDomains();
  const { post } = await signIn(service);
  const answer = await post("/domains", { domain: "127.0.0.1", siteId: "" });
  const text = await answer.text();
  expect(answer.status).toBe(422);
  expect(text).toContain('id="domain-error"');
  expect(text).toContain('value="127.0.0.1"');
  expect((await a("GET", "/api/custom-domains")).items).toEqual([]);
});

test("a domain can be pointed at another site, redirected to another domain, and removed after a confirmation", async () => {
  const { service, a } = await openDomains();
  const { get, post } = await signIn(service);
  const site = String((await a("POST", "/api/sites", { json: { name: "Bakery" } })).body["id"]);
  const path = (await post("/domains", DOMAIN)).headers.get("Location")?.split("?")[0] ?? "";
  await post(path, { siteId: site, redirectTo: "" });
  const [led] = (await a("GET", "/api/custom-domains")).items;
  await post(path, { siteId: site, redirectTo: "bakery.example" });
  const [redirected] = (await a("GET", "/api/custom-domains")).items;
  expect(led).toMatchObject({ siteId: site, redirectTo: null });
  expect(redirected).toMatchObject({ siteId: site, redirectTo: "bakery.example" });
  await get(`${path}/delete`);
  expect((await a("GET", "/api/custom-domains")).items).toHaveLength(1);
  await post(`${path}/delete`);
  expect((await a("GET", "/api/custom-domains")).items).toEqual([]);
});

test("a site with a domain can't be deleted, and the reason is shown", async () => {
  const { service, a } = await openDomains();
  const { post } = await signIn(service);
  const site = String((await a("POST", "/api/sites", { json: { name: "Bakery" } })).body["id"]);
  await post("/domains", { ...DOMAIN, siteId: site });
  const answer = await post(`/sites/${site}/delete`, { pages: "keep" });
  expect(answer.status).toBe(409);
  expect(await answer.text()).toContain("Remove www.bakery.example first");
  expect((await a("GET", `/api/sites/${site}`)).status).toBe(200);
});
