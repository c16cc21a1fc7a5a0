import { describe, expect, it } from "vitest";
import type { DnsFinding } from "../../../src/service/domains/dns-lookup.ts";
import { judgeCheck } from "../../../src/service/domains/judge-check.ts";
import type { Domain } from "../../../src/service/store/domains.ts";

const START = new Date("2026-01-01T00:00:00Z");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const NEW: Domain = {
  ...{ id: "dm_1", accountId: "acc_1", name: "www.example.org", siteId: null, redirectTo: null, token: "t" },
  ...{ status: "pending", error: null, attempts: 0, heldAt: null, missingSince: null, lastCheckedAt: null },
  ...{ nextCheckAt: START, createdAt: START, updatedAt: START },
};
const ACTIVE: Domain = { ...NEW, status: "active", heldAt: START };

const HERE: DnsFinding = { control: "proven", routing: { kind: "here" } };
const NOTHING: DnsFinding = { control: "missing", routing: { kind: "missing" } };
const ELSEWHERE: DnsFinding = { control: "proven", routing: { kind: "elsewhere", addresses: ["192.0.2.1"] } };
const SILENCE: DnsFinding = { control: "unknown", routing: { kind: "unknown" } };

function judge(domain: Domain, finding: DnsFinding, { now = START, isHeldByOther = false } = {}): Domain {
  return { ...domain, ...judgeCheck(domain, finding, { now, isHeldByOther }) };
}

/** Checks whenever it is due until nothing is due any more, and gives the waits in between. */
function follow(domain: Domain, finding: DnsFinding): { readonly waits: readonly number[]; readonly end: Domain } {
  const waits: number[] = [];
  let current = domain;
  let now = START;
  for (;;) {
    current = judge(current, finding, { now });
    if (current.nextCheckAt === null) return { waits, end: current };
    waits.push(current.nextCheckAt.getTime() - now.getTime());
    now = current.nextCheckAt;
  }
}

describe("a domain that is being set up", () => {
  it("is looked at every minute, then every ten, then every hour, and given up", () => {
    const { waits, end } = follow(NEW, NOTHING);
    const expected = [
      ...Array.from({ length: 10 }, () => MINUTE),
      ...Array.from({ length: 12 }, () => 10 * MINUTE),
      ...Array.from({ length: 72 }, () => HOUR),
    ];
    expect(waits).toEqual(expected);
    expect(end).toMatchObject({ status: "failed", heldAt: null, error: expect.stringContaining("TXT record") });
  });

  it("is active once it is proven and leads here", () => {
    expect(judge(NEW, HERE)).toMatchObject({ status: "active", heldAt: START, error: null, lastCheckedAt: START });
  });

  it("is verified, and told where it leads, while it leads elsewhere", () => {
    expect(judge(NEW, ELSEWHERE)).toMatchObject({
      status: "verified",
      heldAt: START,
      error: "The domain points to 192.0.2.1, not only to this service.",
      nextCheckAt: new Date(START.getTime() + MINUTE),
    });
  });

  it("is not held while another account holds it, whatever DNS says", () => {
    const judged = judge(NEW, HERE, { isHeldByOther: true });
    expect(judged).toMatchObject({
      status: "pending",
      heldAt: null,
      error: expect.stringContaining("Another account"),
    });
  });
});

describe("a domain that is held", () => {
  it("is looked at daily", () => {
    expect(judge(ACTIVE, HERE).nextCheckAt).toEqual(new Date(START.getTime() + DAY));
  });

  it("is served for three days after its proof has gone, and then given up", () => {
    const first = judge(ACTIVE, NOTHING);
    expect(first).toMatchObject({ status: "active", heldAt: START, missingSince: START, error: expect.any(String) });
    const { waits, end } = follow(ACTIVE, NOTHING);
    expect(waits).toEqual(Array.from({ length: 72 }, () => HOUR));
    expect(end).toMatchObject({ status: "failed", heldAt: null, missingSince: null });
  });

  it("is as before once its proof is there again", () => {
    const missing = judge(ACTIVE, NOTHING);
    expect(judge(missing, HERE)).toMatchObject({ status: "active", missingSince: null, error: null });
  });

  it("loses nothing because no DNS server answers", () => {
    const { heldAt, status, missingSince, nextCheckAt } = judge(ACTIVE, SILENCE);
    expect({ heldAt, status, missingSince }).toEqual({ heldAt: START, status: "active", missingSince: null });
    expect(nextCheckAt).toEqual(new Date(START.getTime() + HOUR));
  });

  it("stays held when it leads elsewhere, as behind another proxy", () => {
    expect(judge(ACTIVE, ELSEWHERE)).toMatchObject({ status: "verified", heldAt: START });
  });
});
