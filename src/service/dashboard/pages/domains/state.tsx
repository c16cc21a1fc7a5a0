import { domainToUnicode } from "node:url";
import type { DomainRecord } from "../../../../contract/records.ts";
import { Badge, type Mood } from "../../parts/values.tsx";

const STATES: Readonly<Record<DomainRecord["status"], readonly [mood: Mood, text: string]>> = {
  pending: ["soft", "waiting for DNS"],
  verified: ["soft", "proven, leads elsewhere"],
  active: ["good", "active"],
  failed: ["bad", "given up"],
};

/** How it stands with a domain. */
export function DomainState({ status }: Pick<DomainRecord, "status">) {
  const [mood, text] = STATES[status];
  return <Badge mood={mood}>{text}</Badge>;
}

/** A domain as people write it: `münchen.example` for `xn--mnchen-3ya.example`. */
export function readableName(domain: string): string {
  return domainToUnicode(domain) || domain;
}
