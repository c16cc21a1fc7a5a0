import { describe, expect, it } from "vitest";
import { routingRecords, verificationRecord } from "../../../src/service/resources/domain-name.ts";

const HOST = "pages.service.example";

describe("the required DNS records", () => {
  it("prove ownership of the domain", () => {
    expect(verificationRecord({ name: "www.example.org", token: "abc" })).toEqual({
      type: "TXT",
      name: "_imprint.www.example.org",
      value: "imprint-verify=abc",
    });
  });

  it.each([
    {
      ...{ name: "www.example.org", isApex: false, target: { host: HOST, addresses: ["203.0.113.7"] } },
      expected: ["CNAME pages.service.example"],
    },
    {
      ...{ name: "example.org", isApex: true, target: { host: HOST, addresses: ["203.0.113.7", "2001:db8::7"] } },
      expected: ["A 203.0.113.7", "AAAA 2001:db8::7"],
    },
    {
      ...{ name: "example.org", isApex: true, target: { host: HOST, addresses: [] } },
      expected: ["ALIAS pages.service.example"],
    },
    {
      ...{ name: "www.example.org", isApex: false, target: { host: "203.0.113.7", addresses: [] } },
      expected: ["A 203.0.113.7"],
    },
  ])("point $name here (is apex: $isApex)", ({ name, isApex, target, expected }) => {
    const records = routingRecords({ name, isApex }, target);
    expect(records.map(({ type, value }) => `${type} ${value}`)).toEqual(expected);
    expect(records.every((record) => record.name === name)).toBe(true);
  });
});
