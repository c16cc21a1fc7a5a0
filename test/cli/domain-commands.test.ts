import { describe, expect, it } from "vitest";
import type { RouteSetName } from "../../src/contract/route.ts";
import { startDnsServer } from "../service/domains/dns-server.ts";
import { zoneFor } from "../service/domains/open-domains.ts";
import { clientOf, openRunningService } from "../service/open-service.ts";
import { API_KEY } from "../client/clients.ts";
import { startHost } from "../client/host.ts";
import { commandsAt, commandsFor } from "./run.ts";

async function open(routeSet: RouteSetName) {
  const dns = await startDnsServer();
  const service = await openRunningService({ background: false, domains: { dnsServers: [dns.address] } });
  const send = clientOf(service, { routeSet: "a" });
  return { dns, service, send, ...(await commandsFor(service, routeSet)) };
}

describe.each(["a", "b"] as const)("imprint domains, route set %s", (routeSet) => {
  it("adds a domain for the only site and prints the exact DNS records", async () => {
    const { run, send } = await open(routeSet);
    const { body: site } = await send("POST", "/api/sites", { json: { name: "My site" } });
    const added = await run("domains", "add", "www.example.org");
    expect(added.code).toBe(0);
    const [domain] = (await send("GET", "/api/custom-domains")).items;
    expect(domain?.siteId).toBe(site.id);
    const { value } = Object(domain?.verification);
    expect(added.out).toContain(`  Type   TXT\n  Name   _imprint.www.example.org\n  Value  ${value}\n`);
    expect(added.out).toContain("  Type   A\n  Name   www.example.org\n  Value  127.0.0.1\n");
    expect(added.out.split("\n").every((line) => line.length <= 80)).toBe(true);
    expect((await run("domains", "list")).out).toMatch(
      /^ {2}Domain +Status +Target\n {2}www\.example\.org +pending +My site\n$/,
    );
  });

  it("requires the site if there are several", async () => {
    const { run, send } = await open(routeSet);
    for (const name of ["One", "Two"]) await send("POST", "/api/sites", { json: { name } });
    const unclear = await run("domains", "add", "www.example.org");
    expect([unclear.code, unclear.error]).toEqual([2, expect.stringContaining("The account has 2 sites: Two, One.")]);
    expect((await run("domains", "add", "www.example.org", "--site", "none")).code).toBe(2);
    expect((await run("domains", "add", "www.example.org", "--site", "two")).code).toBe(0);
  });

  it("removes a domain after a confirmation", async () => {
    const { run } = await open(routeSet);
    await run("domains", "add", "www.example.org");
    expect((await run("domains", "remove", "www.example.org")).code).toBe(2);
    expect((await run("domains", "remove", "WWW.example.org", "--yes")).out).toContain("Removed www.example.org.");
    expect((await run("domains", "list", "--json")).json()).toEqual([]);
    const gone = await run("domains", "remove", "www.example.org", "--yes");
    expect([gone.code, gone.error]).toEqual([2, expect.stringContaining('no domain "www.example.org"')]);
  });

  it("reports why a domain can't be added", async () => {
    const { run } = await open(routeSet);
    const refused = await run("domains", "add", "co.uk");
    expect([refused.code, refused.error]).toEqual([1, expect.stringContaining("public suffix")]);
  });
});

describe("imprint domains check", () => {
  it("has the service check now, and fails until the domain is active", async () => {
    const { run, dns } = await open("a");
    const added = Object((await run("domains", "add", "www.example.org", "--json")).json());
    const missing = await run("domains", "check", "www.example.org");
    expect([missing.code, missing.out]).toEqual([1, expect.stringContaining("The TXT record is missing")]);
    dns.set(zoneFor(added));
    const found = await run("domains", "check", "www.example.org");
    expect([found.code, found.out]).toEqual([0, expect.stringContaining("www.example.org is active.\n")]);
  });

  it("waits until the domain is active", async () => {
    const { run, dns } = await open("a");
    const added = Object((await run("domains", "add", "www.example.org", "--json")).json());
    const waiting = run("domains", "check", "www.example.org", "--wait", "1");
    await expect.poll(() => dns.asked.length).toBeGreaterThan(0);
    dns.set(zoneFor(added));
    const { code, error } = await waiting;
    expect([code, error]).toEqual([0, "Waiting. The TXT record is missing or has another value.\n"]);
  });

  it("reads the result of the service's own checks if the route set has no request for one", async () => {
    const { run, dns, service } = await open("b");
    const added = Object((await run("domains", "add", "www.example.org", "--json")).json());
    const first = await run("domains", "check", "www.example.org");
    expect([first.code, first.error]).toEqual([1, expect.stringContaining("Route set B can't request a check")]);
    dns.set(zoneFor(added));
    await service.checkDomains();
    const second = await run("domains", "check", "www.example.org", "--json");
    expect([second.code, Object(second.json()).status]).toEqual([0, "active"]);
  });

  it("rejects a domain with both a site and a redirect", async () => {
    const { run } = await open("a");
    expect((await run("domains", "add", "www.example.org", "--site", "x", "--redirect", "example.org")).code).toBe(2);
    expect((await run("domains", "list", "--json")).json()).toEqual([]);
  });

  it.each([["0"], ["soon"]])("rejects --wait %j", async (wait) => {
    const { run } = await open("a");
    await run("domains", "add", "www.example.org");
    expect((await run("domains", "check", "www.example.org", "--wait", wait)).code).toBe(2);
  });
});

describe("imprint domains check at a hosted service", () => {
  it("reads the list if the service doesn't accept check requests", async () => {
    const record = { domain: "www.example.org", status: "verified" };
    const { baseUrl, received } = await startHost(({ method, path }) => {
      if (method === "PATCH") return { status: 422, body: { error: "verify is unknown" } };
      return path.startsWith("/api/custom-domains") ? { body: { domains: [record] } } : { status: 404, body: {} };
    });
    const { run } = await commandsAt(baseUrl, API_KEY);
    const { code, out, error } = await run("domains", "check", "www.example.org", "--route-set", "a");
    expect([code, error]).toEqual([0, expect.stringContaining("doesn't accept check requests")]);
    expect(out).toContain("www.example.org is active.\n");
    expect(received.filter(({ method }) => method === "PATCH")).toHaveLength(1);
  });
});

describe("imprint domains add --redirect", () => {
  it("redirects visitors to another domain in route set A", async () => {
    const { run } = await open("a");
    expect((await run("domains", "add", "www.example.org", "--redirect", "example.org")).code).toBe(0);
    expect((await run("domains", "list")).out).toContain("→ example.org");
  });

  it("adds nothing if the route set doesn't support it", async () => {
    const { run } = await open("b");
    const refused = await run("domains", "add", "www.example.org", "--redirect", "example.org");
    expect([refused.code, refused.error]).toEqual([1, expect.stringContaining("can't redirect a domain")]);
    expect((await run("domains", "list", "--json")).json()).toEqual([]);
  });
});
