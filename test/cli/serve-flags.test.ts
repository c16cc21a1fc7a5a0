import { describe, expect, it } from "vitest";
import { publicOptions } from "../../src/cli/serve-flags.ts";
import type { PublicFlags } from "../../src/cli/serve-flags.ts";

const PORTS = { httpsPort: "4402", httpsPublicPort: "443" };

describe("imprint serve for others", () => {
  it("is for this machine alone and without certificates unless told otherwise", () => {
    expect(publicOptions(PORTS)).toEqual({ domains: { dnsServers: [], addresses: [] } });
  });

  it("takes public addresses and a certificate authority", () => {
    const flags: PublicFlags = {
      ...PORTS,
      ...{
        host: "0.0.0.0",
        appUrl: "https://app.example.org",
        pagesUrl: "https://pages.example.net",
        trustProxy: true,
      },
      ...{ dnsServer: ["1.1.1.1"], publicAddress: ["203.0.113.7"], acme: "me@example.org", agreeTerms: true },
    };
    expect(publicOptions(flags)).toEqual({
      ...{ hostname: "0.0.0.0", appUrl: flags.appUrl, pagesUrl: flags.pagesUrl, trustProxy: true, httpsPort: 4402 },
      domains: { dnsServers: ["1.1.1.1"], addresses: ["203.0.113.7"] },
      acme: { email: "me@example.org", agree: true, publicPort: 443 },
    });
  });

  it.each([
    [{ ...PORTS, acme: "me@example.org" }, "--agree-terms"],
    [{ ...PORTS, acme: "me@example.org", agreeTerms: true, httpsPort: "no" }, "--https-port takes a number"],
  ])("refuses %j as wrong usage", (flags, message) => {
    expect(() => publicOptions(flags)).toThrow(message);
  });
});
