import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isApex, parseDomainName } from "../../../src/service/resources/domain-name.ts";

const OWN = { ownHosts: ["pages.service.example", "127.0.0.1"] };

describe("a domain name", () => {
  it.each([
    ["Example.org", "example.org"],
    [" www.example.org. ", "www.example.org"],
    ["München.example", "xn--mnchen-3ya.example"],
    ["例え.jp", "xn--r8jz45g.jp"],
    ["shop.example.co.uk", "shop.example.co.uk"],
    ["me.github.io", "me.github.io"],
    ["www.site.test", "www.site.test"],
    ["service.example", "service.example"],
  ])("%j is normalized to %j", async (text, name) => {
    expect(await parseDomainName(text, OWN)).toEqual({ name });
  });

  it.each([
    ["127.0.0.1", "is an IP address"],
    ["127.1", "is an IP address"],
    ["0x7f.1", "is an IP address"],
    ["::1", "is not only a domain: remove scheme, port and path"],
    ["example.org:8080", "is not only a domain: remove scheme, port and path"],
    ["https://example.org", "is not only a domain: remove scheme, port and path"],
    ["example.org/shop", "is not only a domain: remove scheme, port and path"],
    ["me@example.org", "is not only a domain: remove scheme, port and path"],
    ["localhost", "is not a public DNS name"],
    ["shop.localhost", "is not a public DNS name"],
    ["printer.local", "is not a public DNS name"],
    ["com", "is not a public DNS name"],
    ["co.uk", "is a public suffix, under which domains are registered"],
    ["github.io", "is a public suffix, under which domains are registered"],
    ["*.example.org", "is not a valid domain"],
    ["-a.example.org", "is not a valid domain"],
    ["a_b.example.org", "is not a valid domain"],
    ["a..example.org", "is not a valid domain"],
    ["", "is not a valid domain"],
    [`${"a".repeat(64)}.example.org`, "is not a valid domain"],
    [`${"a.".repeat(120)}example.org`, "is too long"],
    ["pages.service.example", "belongs to this service"],
    ["sub.pages.service.example", "belongs to this service"],
  ])("%j is rejected: %s", async (text, problem) => {
    expect(await parseDomainName(text, OWN)).toEqual({ problem });
  });

  it("has a single normal form", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.domain(), fc.string({ maxLength: 60 })), async (text) => {
        const parsed = await parseDomainName(text, OWN);
        if (!("name" in parsed)) return;
        expect(parsed.name).toMatch(/^[a-z0-9.-]+$/);
        expect(await parseDomainName(parsed.name.toUpperCase(), OWN)).toEqual(parsed);
        expect(URL.parse(`http://${parsed.name}/`)?.hostname).toBe(parsed.name);
      }),
    );
  });

  it.each([
    ["example.org", true],
    ["www.example.org", false],
    ["example.co.uk", true],
    ["me.github.io", true],
  ])("%s has the registrable domain %s", async (name, expected) => {
    expect(await isApex(name)).toBe(expected);
  });
});
