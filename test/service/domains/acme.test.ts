import { Agent } from "node:https";
import acme from "acme-client";
import { describe, expect, it, onTestFinished } from "vitest";
import type { StartOptions } from "../../../src/service.ts";
import { SELF_SIGNED } from "../../client/self-signed.ts";
import { clientOf, openRunningService } from "../open-service.ts";
import { startDnsServer } from "./dns-server.ts";
import { zoneFor } from "./open-domains.ts";
import { askSecurely, PEBBLE, startPebble } from "./pebble.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const ACME = { email: "owner@example.org", agree: true } as const;

/** A service with certificates from this test's certificate authority, and the site "One" under www.example.org. */
async function openSecureSite() {
  const dns = await startDnsServer();
  const ports = { pagesPort: 0, httpPort: 0 };
  // The authority and the service need each other's ports.
  const probe = await openRunningService();
  ports.pagesPort = probe.pagesPort;
  await probe.close();
  const pebble = await startPebble({ httpPort: ports.pagesPort, dnsServer: dns.address });
  const { httpsAgent } = acme.axios.defaults;
  acme.axios.defaults.httpsAgent = new Agent({ ca: SELF_SIGNED.cert });
  onTestFinished(() => void (acme.axios.defaults.httpsAgent = httpsAgent));
  let passedMs = 0;
  const options: StartOptions = {
    ...{ background: false, pagesPort: ports.pagesPort, httpsPort: 0, now: () => new Date(Date.now() + passedMs) },
    domains: { dnsServers: [dns.address] },
    acme: { ...ACME, directoryUrl: pebble.directoryUrl },
  };
  const service = await openRunningService(options);
  const send = clientOf(service, { routeSet: "a" });
  const { body: site } = await send("POST", "/api/sites", { json: { name: "One", homeSlug: "home" } });
  await send("PUT", "/api/pages/home", { json: { html: "<h1>Home</h1>", siteId: site.id } });
  const added = await send("POST", "/api/custom-domains", { json: { domain: "www.example.org", siteId: site.id } });
  const setRecords = () => dns.set(zoneFor(added.body));
  const visit = (servername: string, path = "/") =>
    askSecurely({ port: service.httpsPort ?? 0, path, servername, ca: pebble.root });
  const advance = (ms: number) => void (passedMs += ms);
  return { service, send, visit, setRecords, advance, dns };
}

describe.skipIf(PEBBLE === undefined)("certificates from an authority (skipped without the program pebble)", () => {
  it("are obtained for a domain that points here, renewed at two thirds of their lifetime, and deleted with it", async () => {
    const { service, send, visit, setRecords, advance } = await openSecureSite();
    const sslOf = async () => (await send("GET", "/api/custom-domains")).items[0]?.ssl;
    await service.checkDomains();
    expect(await sslOf()).toEqual({ status: "pending", issuer: null, expiresAt: null });
    await expect(visit("www.example.org")).rejects.toThrow();

    setRecords();
    advance(60_000);
    await service.checkDomains();
    expect(await sslOf()).toMatchObject({ status: "active", issuer: expect.stringContaining("Pebble") });
    const first = await visit("www.example.org");
    expect(first).toMatchObject({ status: 200, text: "<h1>Home</h1>" });
    await expect(visit("other.example.org")).rejects.toThrow();

    const plain = await service.fetch(new Request("http://www.example.org/a?b=c", { redirect: "manual" }));
    expect([plain.status, plain.headers.get("Location")]).toEqual([308, "https://www.example.org/a?b=c"]);

    const { expiresAt } = Object(await sslOf());
    const lifeMs = new Date(String(expiresAt)).getTime() - Date.now();
    advance(lifeMs + DAY_MS);
    const afterwards = await service.fetch(new Request("http://www.example.org/", { redirect: "manual" }));
    expect(afterwards.status).toBe(200);
    advance(-lifeMs - DAY_MS);

    advance(lifeMs / 2);
    await service.checkDomains();
    expect((await visit("www.example.org")).fingerprint).toBe(first.fingerprint);
    advance(lifeMs / 6 + DAY_MS);
    await service.checkDomains();
    expect((await visit("www.example.org")).fingerprint).not.toBe(first.fingerprint);

    await send("DELETE", "/api/custom-domains/www.example.org");
    await expect(visit("www.example.org")).rejects.toThrow();
  }, 60_000);

  it("that can't be obtained are reported and requested again later", async () => {
    const { service, send, setRecords, advance, dns } = await openSecureSite();
    setRecords();
    await service.checkDomains();
    await send("DELETE", "/api/custom-domains/www.example.org");
    // The domain points here, but the authority gets different DNS responses.
    const { body } = await send("POST", "/api/custom-domains", { json: { domain: "shop.example.org" } });
    const records = zoneFor(body);
    dns.set(records);
    await send("PATCH", "/api/custom-domains/shop.example.org", { json: { verify: true } });
    dns.set({});
    await service.checkDomains();
    const [failed] = (await send("GET", "/api/custom-domains")).items;
    expect(failed).toMatchObject({ ssl: { status: "failed" }, error: expect.stringContaining("No certificate") });
    dns.set(records);
    await service.checkDomains();
    expect((await send("GET", "/api/custom-domains")).items[0]).toMatchObject({ ssl: { status: "failed" } });
    advance(15 * 60_000);
    await service.checkDomains();
    expect((await send("GET", "/api/custom-domains")).items[0]).toMatchObject({
      ssl: { status: "active" },
      error: null,
    });
  }, 60_000);
});

describe("certificates", () => {
  it.each([
    [{ ...ACME, agree: false }, "terms of service"],
    [{ ...ACME, email: "nobody" }, "email address"],
    [{ ...ACME, directoryUrl: "http://127.0.0.1/dir" }, "https URL"],
  ])("are rejected with the settings %j", async (acme, message) => {
    // Users without type checks can pass anything.
    const options: StartOptions = Object({ acme });
    await expect(openRunningService(options)).rejects.toMatchObject({
      code: "OPTIONS_INVALID",
      message: expect.stringContaining(message),
    });
  });

  it("don't leave anything open if their port is taken", async () => {
    const other = await openRunningService();
    const options = { acme: ACME, httpsPort: other.pagesPort };
    await expect(openRunningService(options)).rejects.toMatchObject({ code: "PORT_TAKEN" });
  });
});
