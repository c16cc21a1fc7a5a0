import { describe, expect, it } from "vitest";
import type { DnsFinding } from "../../../src/service/domains/dns-lookup.ts";
import { evaluateCheck } from "../../../src/service/domains/evaluate-check.ts";
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
  return { ...domain, ...evaluateCheck(domain, finding, { now, isHeldByOther }) };
}

/** Runs each check when it is due until none is left, and returns the delays between them. */
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

describe("a domain during setup", () => {
  it("is checked every minute, then every ten minutes, then hourly, and finally abandoned", () => {
    const { waits, end } = follow(NEW, NOTHING);
    const expected = [
      ...Array.from({ length: 10 }, () => MINUTE),
      ...Array.from({ length: 12 }, () => 10 * MINUTE),
      ...Array.from({ length: 72 }, () => HOUR),
    ];
    expect(waits).toEqual(expected);
    expect(end).toMatchObject({ status: "failed", heldAt: null, error: expect.stringContaining("TXT record") });
  });

  it("becomes active once it is proven and points here", () => {
    expect(judge(NEW, HERE)).toMatchObject({ status: "active", heldAt: START, error: null, lastCheckedAt: START });
  });

  it("is verified, with the reported target, while it points elsewhere", () => {
    expect(judge(NEW, ELSEWHERE)).toMatchObject({
      status: "verified",
      heldAt: START,
      error: "The domain points to 192.0.2.1, not only to this service.",
      nextCheckAt: new Date(START.getTime() + MINUTE),
    });
  });

  it("isn't verified while another account holds it, whatever DNS says", () => {
    const judged = judge(NEW, HERE, { isHeldByOther: true });
    expect(judged).toMatchObject({
      status: "pending",
      heldAt: null,
      error: expect.stringContaining("Another account"),
    });
  });
});

describe("a verified domain", () => {
  it("is checked daily", () => {
    expect(judge(ACTIVE, HERE).nextCheckAt).toEqual(new Date(START.getTime() + DAY));
  });

  it("is served for three days after its proof is gone, and then released", () => {
    const first = judge(ACTIVE, NOTHING);
    expect(first).toMatchObject({ status: "active", heldAt: START, missingSince: START, error: expect.any(String) });
    const { waits, end } = follow(ACTIVE, NOTHING);
    expect(waits).toEqual(Array.from({ length: 72 }, () => HOUR));
    expect(end).toMatchObject({ status: "failed", heldAt: null, missingSince: null });
  });

  it("recovers once its proof is back", () => {
    const missing = judge(ACTIVE, NOTHING);
    expect(judge(missing, HERE)).toMatchObject({ status: "active", missingSince: null, error: null });
  });

  it("loses nothing if no DNS server responds", () => {
    const { heldAt, status, missingSince, nextCheckAt } = judge(ACTIVE, SILENCE);
    expect({ heldAt, status, missingSince }).toEqual({ heldAt: START, status: "active", missingSince: null });
    expect(nextCheckAt).toEqual(new Date(START.getTime() + HOUR));
  });

  it("stays verified if it points elsewhere, as behind another proxy", () => {
    expect(judge(ACTIVE, ELSEWHERE)).toMatchObject({ status: "verified", heldAt: START });
  });
});
