import { describe, expect, it } from "vitest";
import { openDomains, PAGES_HOST, zoneFor } from "./open-domains.ts";

describe.each(["a", "b"] as const)("custom domains, route set %s", (routeSet) => {
  it("are added with the required records, and adding one again returns it unchanged", async () => {
    const send = (await openDomains())[routeSet];
    const added = await send("POST", "/api/custom-domains", { json: { domain: "WWW.Example.ORG." } });
    expect(added.status).toBe(201);
    expect(added.body).toMatchObject({
      id: expect.stringMatching(/^dm_/),
      domain: "www.example.org",
      status: "pending",
      verification: {
        type: "TXT",
        name: "_imprint.www.example.org",
        value: expect.stringMatching(/^imprint-verify=\w{22}$/),
      },
      dns: [{ type: "CNAME", name: "www.example.org", value: PAGES_HOST }],
      ssl: { status: "off", issuer: null, expiresAt: null },
      ...{ siteId: null, redirectTo: null, lastCheckedAt: null, error: null },
    });
    const repeated = await send("POST", "/api/custom-domains", { json: { domain: "www.example.org" } });
    expect([repeated.status, repeated.body]).toEqual([200, added.body]);
    expect((await send("GET", "/api/custom-domains")).items).toEqual([added.body]);
  });

  it("become active once DNS confirms them", async () => {
    const { dns, service, advance, [routeSet]: send } = await openDomains();
    const { body } = await send("POST", "/api/custom-domains", { json: { domain: "example.org" } });
    expect(await service.checkDomains()).toBe(1);
    const [pending] = (await send("GET", "/api/custom-domains")).items;
    expect(pending).toMatchObject({ status: "pending", error: expect.stringContaining("TXT record") });
    dns.set(zoneFor(body));
    expect(await service.checkDomains()).toBe(0);
    advance(60_000);
    expect(await service.checkDomains()).toBe(1);
    expect((await send("GET", "/api/custom-domains")).items).toEqual([
      expect.objectContaining({ status: "active", error: null }),
    ]);
  });

  it("can be deleted by name and by id", async () => {
    const send = (await openDomains())[routeSet];
    const { body } = await send("POST", "/api/custom-domains", { json: { domain: "one.example.org" } });
    await send("POST", "/api/custom-domains", { json: { domain: "two.example.org" } });
    expect((await send("DELETE", `/api/custom-domains/${String(body.id)}`)).status).toBe(204);
    expect((await send("DELETE", "/api/custom-domains/TWO.example.org")).status).toBe(204);
    expect((await send("GET", "/api/custom-domains")).items).toEqual([]);
    const gone = await send("DELETE", "/api/custom-domains/two.example.org");
    expect([gone.status, gone.body.code]).toEqual([404, "domain_not_found"]);
  });

  it.each(["127.0.0.1", "example.org:8080", "co.uk", PAGES_HOST, `www.${PAGES_HOST}`, "localhost"])(
    "reject %s with the reason",
    async (domain) => {
      const send = (await openDomains())[routeSet];
      const { status, body } = await send("POST", "/api/custom-domains", { json: { domain } });
      expect([status, body.code]).toEqual([422, "invalid_domain"]);
      expect(body.errors).toEqual([{ pointer: "/body/domain", detail: expect.any(String) }]);
    },
  );

  it("reject an unknown site, and more domains than the limit", async () => {
    const send = (await openDomains({ limits: { maxDomains: 1 } }))[routeSet];
    const strange = { domain: "www.example.org", siteId: "st_other" };
    expect((await send("POST", "/api/custom-domains", { json: strange })).body.code).toBe("site_not_found");
    await send("POST", "/api/custom-domains", { json: { domain: "one.example.org" } });
    const { status, body } = await send("POST", "/api/custom-domains", { json: { domain: "two.example.org" } });
    expect([status, body.code]).toEqual([422, "limit_reached"]);
  });
});

describe("custom domains in route set A", () => {
  it("are checked immediately on request, up to ten times a minute", async () => {
    const { a, dns } = await openDomains();
    const { body } = await a("POST", "/api/custom-domains", { json: { domain: "www.example.org" } });
    const check = () => a("PATCH", "/api/custom-domains/www.example.org", { json: { verify: true } });
    expect((await check()).body).toMatchObject({ status: "pending", lastCheckedAt: expect.any(String) });
    dns.set(zoneFor(body));
    expect((await check()).body).toMatchObject({ status: "active", error: null });
    for (let count = 2; count < 10; count++) await check();
    const refused = await check();
    expect([refused.status, refused.body.code]).toEqual([429, "rate_limited"]);
  });

  it("can be assigned to a site, or redirected to another domain", async () => {
    const { a } = await openDomains();
    const { body: site } = await a("POST", "/api/sites", { json: { name: "One" } });
    await a("POST", "/api/custom-domains", { json: { domain: "example.org", siteId: site.id } });
    await a("POST", "/api/custom-domains", { json: { domain: "www.example.org" } });
    const path = "/api/custom-domains/www.example.org";
    const moved = await a("PATCH", path, { json: { redirectTo: "Example.org" } });
    expect([moved.status, moved.body.redirectTo]).toEqual([200, "example.org"]);
    const circle = await a("PATCH", "/api/custom-domains/example.org", { json: { redirectTo: "www.example.org" } });
    expect([circle.status, circle.body.code]).toEqual([422, "invalid_domain"]);
    expect((await a("PATCH", path, { json: { siteId: site.id, redirectTo: null } })).body).toMatchObject({
      siteId: site.id,
      redirectTo: null,
    });
  });

  it("prevent deletion of their site, which lists them once they are verified", async () => {
    const { a, dns } = await openDomains();
    const { body: site } = await a("POST", "/api/sites", { json: { name: "One" } });
    const path = `/api/sites/${String(site.id)}`;
    const added = await a("POST", "/api/custom-domains", { json: { domain: "www.example.org", siteId: site.id } });
    expect((await a("GET", path)).body.domain).toBeNull();
    dns.set(zoneFor(added.body));
    await a("PATCH", "/api/custom-domains/www.example.org", { json: { verify: true } });
    expect((await a("GET", path)).body.domain).toBe("www.example.org");
    const refused = await a("DELETE", path);
    expect([refused.status, refused.body.code, refused.body.domains]).toEqual([
      409,
      "site_has_domain",
      ["www.example.org"],
    ]);
    await a("DELETE", "/api/custom-domains/www.example.org");
    expect((await a("DELETE", path)).status).toBe(204);
  });
});
