import { describe, expect, it } from "vitest";
import { startDnsServer } from "../service/domains/dns-server.ts";
import { zoneFor } from "../service/domains/open-domains.ts";
import { openRunningService } from "../service/open-service.ts";
import { failure, testClient, testConnect } from "./clients.ts";
import { startHost } from "./host.ts";

async function open(routeSet: "a" | "b", mode: "strict" | "full") {
  const dns = await startDnsServer();
  const service = await openRunningService({
    ...{ background: false, strict: mode === "strict", domains: { dnsServers: [dns.address] } },
  });
  const api = await testConnect({ baseUrl: service.baseUrl(routeSet), apiKey: service.apiKey });
  return { dns, service, api };
}

describe.each([
  ["a", "strict"],
  ["a", "full"],
  ["b", "strict"],
  ["b", "full"],
] as const)("custom domains, route set %s, %s", (routeSet, mode) => {
  it("are added with their required DNS records, listed, and removed", async () => {
    const { api, dns, service } = await open(routeSet, mode);
    const added = await api.domains.create({ domain: "WWW.example.org" });
    expect(added).toMatchObject({
      domain: "www.example.org",
      status: "pending",
      verification: {
        type: "TXT",
        name: "_imprint.www.example.org",
        value: expect.stringContaining("imprint-verify="),
      },
      dns: [{ type: "A", name: "www.example.org", value: "127.0.0.1" }],
      ssl: { status: "off" },
      createdAt: expect.any(Date),
    });
    expect(await api.domains.create({ domain: "www.example.org" })).toEqual(added);
    dns.set(zoneFor({ ...added }));
    await service.checkDomains();
    expect((await api.domains.list()).items).toMatchObject([{ domain: "www.example.org", status: "active" }]);
    await api.domains.delete(added);
    await api.domains.delete(added);
    expect((await api.domains.list()).items).toEqual([]);
  });
});

describe("custom domains in route set A", () => {
  it("are checked and changed on request", async () => {
    const { api, dns } = await open("a", "full");
    const added = await api.domains.create({ domain: "www.example.org" });
    expect((await api.domains.check("www.example.org")).error).toContain("TXT record");
    dns.set(zoneFor({ ...added }));
    expect(await api.domains.check("www.example.org")).toMatchObject({ status: "active", error: undefined });
    const site = await api.sites.create({ name: "One" });
    expect((await api.domains.update("www.example.org", { siteId: site.id })).siteId).toBe(site.id);
    expect((await api.sites.get(site.id))?.domain).toBe("www.example.org");
    expect((await api.domains.update("www.example.org", { siteId: null })).siteId).toBeUndefined();
  });
});

describe("custom domains in route set B", () => {
  it("can't be checked or changed, which is reported before any request", async () => {
    const api = testClient({ baseUrl: "http://127.0.0.1:9", routeSet: "b" });
    for (const call of [api.domains.check("www.example.org"), api.domains.update("www.example.org", {})]) {
      expect((await failure(call)).code).toBe("NOT_SUPPORTED");
    }
  });
});

describe("custom domains of a hosted service", () => {
  it("are read under other field names, and removed by the name or id that the route set expects", async () => {
    const record = {
      hostname: "www.example.org",
      domain_id: 7,
      verification_record: { record_type: "TXT", host: "_x.www.example.org", content: "y" },
      dns_records: [{ type: "CNAME", host: "www.example.org", target: "host.example" }, "junk"],
    };
    const { baseUrl, received } = await startHost(() => ({ body: { domain: record } }));
    const parsed = {
      ...{ domain: "www.example.org", id: "7" },
      verification: { type: "TXT", name: "_x.www.example.org", value: "y" },
      dns: [{ type: "CNAME", name: "www.example.org", value: "host.example" }],
    };
    for (const routeSet of ["a", "b"] as const) {
      const api = testClient({ baseUrl, routeSet });
      const domain = await api.domains.create({ domain: "www.example.org" });
      expect(domain).toMatchObject(parsed);
      await api.domains.delete(domain);
    }
    expect(received.filter(({ method }) => method === "DELETE").map(({ path }) => path)).toEqual([
      "/api/custom-domains/www.example.org",
      "/api/custom-domains/7",
    ]);
  });
});
