import { createSocket } from "node:dgram";
import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { createDnsLookup } from "../../../src/service/domains/dns-lookup.ts";
import { startDnsServer, type Zone } from "./dns-server.ts";

const DOMAIN = { name: "www.example.org", token: "abc" };
const HOST = "pages.service.example";
const PROOF = { "_imprint.www.example.org": [["TXT", "imprint-verify=abc"]] } as const;
const PAGES = { [HOST]: [["A", "203.0.113.7"]] } as const;

async function look(zone: Zone | "broken", addresses: readonly string[] = []) {
  const server = await startDnsServer(zone);
  const dns = createDnsLookup({ servers: [server.address], target: { host: HOST, addresses } });
  return await dns.look(DOMAIN);
}

describe("a domain's DNS check", () => {
  it.each([
    ["the expected text", [["TXT", "imprint-verify=abc"]], "proven"],
    [
      "the expected text among others",
      [["TXT", "v=spf1 -all"] as const, ["TXT", "imprint-verify=abc"] as const],
      "proven",
    ],
    ["another text", [["TXT", "imprint-verify=xyz"]], "missing"],
    ["no text", [], "missing"],
  ] as const)("takes only the TXT record as proof: %s", async (_, records, control) => {
    expect((await look({ "_imprint.www.example.org": records })).control).toBe(control);
  });

  it("accepts a CNAME to the service, case-insensitively", async () => {
    const zone: Zone = { ...PROOF, ...PAGES, "www.example.org": [["CNAME", "Pages.Service.Example"]] };
    expect(await look(zone)).toEqual({ control: "proven", routing: { kind: "here" } });
  });

  it("accepts the addresses of the pages' host", async () => {
    const zone: Zone = { ...PAGES, "www.example.org": [["A", "203.0.113.7"]] };
    expect((await look(zone)).routing).toEqual({ kind: "here" });
  });

  it("accepts addresses configured by the operator", async () => {
    const zone: Zone = { "www.example.org": [["A", "198.51.100.1"] as const, ["AAAA", "2001:db8::1"] as const] };
    expect((await look(zone, ["198.51.100.1", "2001:db8::1"])).routing).toEqual({ kind: "here" });
  });

  it("fails if one of the domain's addresses isn't the service's", async () => {
    const zone: Zone = { ...PAGES, "www.example.org": [["A", "203.0.113.7"] as const, ["A", "192.0.2.1"] as const] };
    expect((await look(zone)).routing).toEqual({ kind: "elsewhere", addresses: ["203.0.113.7", "192.0.2.1"] });
  });

  it("is inconclusive if the DNS server fails", async () => {
    expect(await look("broken")).toEqual({ control: "unknown", routing: { kind: "unknown" } });
  });

  it("is inconclusive if no DNS server responds", async () => {
    const socket = createSocket("udp4").bind(0, "127.0.0.1");
    await once(socket, "listening");
    onTestFinished(() => void socket.close());
    const servers = [`127.0.0.1:${socket.address().port}`];
    const dns = createDnsLookup({ servers, target: { host: HOST, addresses: [] }, timeoutMs: 50 });
    expect(await dns.look(DOMAIN)).toEqual({ control: "unknown", routing: { kind: "unknown" } });
  });
});
