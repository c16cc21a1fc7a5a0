import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPublicAddress, parseNetworks } from "../../../src/service/guarded-fetch/networks.ts";

const PRIVATE = [
  ["this network", "0.0.0.0", "0.255.255.255"],
  ["private", "10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255", "192.168.0.0", "192.168.255.255"],
  ["carrier-grade NAT", "100.64.0.0", "100.127.255.255"],
  ["loopback", "127.0.0.0", "127.0.0.1", "127.255.255.255", "::1"],
  ["link-local and cloud metadata", "169.254.0.0", "169.254.169.254", "169.254.255.255", "fe80::1", "fe80::1%eth0"],
  ["protocol assignments", "192.0.0.0", "192.0.0.255", "2001::1", "2001:1ff:ffff::1"],
  ["documentation", "192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1", "3fff:fff::1"],
  ["the old 6to4 relay and 6to4", "192.88.99.1", "2002:7f00:1::", "2002:a00:1::"],
  ["benchmarks", "198.18.0.0", "198.19.255.255"],
  ["multicast", "224.0.0.1", "239.255.255.255", "ff02::1"],
  ["reserved and broadcast", "240.0.0.1", "255.255.255.255"],
  ["unspecified", "::"],
  ["IPv4-mapped", "::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:10.0.0.1", "::ffff:169.254.169.254"],
  ["IPv4-compatible", "::127.0.0.1", "::7f00:1", "::8.8.8.8"],
  ["IPv4-translated", "::ffff:0:127.0.0.1", "::ffff:0:808:808"],
  ["NAT64", "64:ff9b::127.0.0.1", "64:ff9b::808:808", "64:ff9b:1::1"],
  ["unique local", "fc00::1", "fdff::1"],
  ["site-local", "fec0::1"],
  ["discard", "100::1"],
  ["no addresses", "", "localhost", "example.org", "1.2.3", "0x7f000001", "2130706433", "017700000001", "1.2.3.4.5"],
] as const;

const PUBLIC = [
  "1.1.1.1",
  "8.8.8.8",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "128.0.0.0",
  "169.253.255.255",
  "172.15.255.255",
  "172.32.0.0",
  "192.0.1.0",
  "192.167.255.255",
  "192.169.0.0",
  "198.17.255.255",
  "198.20.0.0",
  "223.255.255.255",
  "::ffff:8.8.8.8",
  "2001:200::1",
  "2001:4860:4860::8888",
  "2606:4700:4700::1111",
  "2003::1",
  "3ffe::1",
];

describe("the public internet", () => {
  it.each(PRIVATE.flatMap(([kind, ...addresses]) => addresses.map((address) => ({ kind, address }))))(
    "doesn't include $address ($kind)",
    ({ address }) => {
      expect(isPublicAddress(address)).toBe(false);
    },
  );

  it.each(PUBLIC)("includes %s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it("treats an IPv4 address the same whether or not it is mapped into IPv6", () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(isPublicAddress(`::ffff:${address}`)).toBe(isPublicAddress(address));
      }),
    );
  });

  it("never includes an IPv6 address outside 2000::/3", () => {
    const outside = fc.oneof(fc.integer({ min: 1, max: 0x1fff }), fc.integer({ min: 0x4000, max: 0xffff }));
    const rest = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 7, maxLength: 7 });
    fc.assert(
      fc.property(outside, rest, (first, others) => {
        const address = [first, ...others].map((part) => part.toString(16)).join(":");
        expect(isPublicAddress(address)).toBe(false);
      }),
    );
  });
});

describe("networks that the operator allows", () => {
  it.each([
    [["127.0.0.0/8"], "127.0.0.1", true],
    [["127.0.0.0/8"], "::ffff:127.0.0.1", true],
    [["127.0.0.0/8"], "::1", false],
    [["127.0.0.0/8"], "10.0.0.1", false],
    [["10.0.0.5"], "10.0.0.5", true],
    [["10.0.0.5"], "10.0.0.6", false],
    [["::1", "fd00::/8"], "fd12::1", true],
    [["::1", "fd00::/8"], "::1", true],
    [["::/0"], "127.0.0.1", false],
    [[], "127.0.0.1", false],
  ] as const)("%j: including %s is %s", (networks, address, expected) => {
    expect(parseNetworks(networks).has(address)).toBe(expected);
  });

  it.each(["", "localhost", "10.0.0.0/33", "10.0.0/8/8", "fd00::/129"])("are rejected if written as %j", (text) => {
    expect(() => parseNetworks([text])).toThrow();
  });
});
