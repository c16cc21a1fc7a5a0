import { describe, expect, it } from "vitest";
import { domainOptions, type DomainFlags } from "../../src/cli/serve-flags.ts";

const PORTS = { httpsPort: "4402", httpsPublicPort: "443" };

describe("imprint serve for custom domains", () => {
  it("asks the system's DNS servers and gets no certificates unless told otherwise", () => {
    expect(domainOptions(PORTS)).toEqual({ domains: { dnsServers: [], addresses: [] } });
  });

  it("takes DNS servers, addresses and a certificate authority", () => {
    const flags: DomainFlags = {
      ...PORTS,
      ...{ dnsServer: ["1.1.1.1"], publicAddress: ["203.0.113.7"], acme: "me@example.org", agreeTerms: true },
    };
    expect(domainOptions(flags)).toEqual({
      httpsPort: 4402,
      domains: { dnsServers: ["1.1.1.1"], addresses: ["203.0.113.7"] },
      acme: { email: "me@example.org", agree: true, publicPort: 443 },
    });
  });

  it.each([
    [{ ...PORTS, acme: "me@example.org" }, "--agree-terms"],
    [{ ...PORTS, acme: "me@example.org", agreeTerms: true, httpsPort: "no" }, "--https-port takes a number"],
  ])("refuses %j as wrong usage", (flags, message) => {
    expect(() => domainOptions(flags)).toThrow(message);
  });
});
