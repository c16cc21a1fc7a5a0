import { createService, type Service, type ServiceOptions } from "../../../src/service.ts";
import { onTestFinished } from "vitest";
import { recordRoutes } from "../record-routes.ts";
import { clientOf, type Fields, type Send } from "../open-service.ts";
import { startDnsServer, type DnsServer, type Zone } from "./dns-server.ts";

export const PAGES_HOST = "pages.service.example";

export interface OpenDomains {
  readonly service: Service;
  readonly dns: DnsServer;
  readonly a: Send;
  readonly b: Send;
  /** Advances the clock. */
  advance(ms: number): void;
}

/** Opens a service that uses this test's DNS server, and checks domains only on demand. */
export async function openDomains(options: ServiceOptions = {}): Promise<OpenDomains> {
  const dns = await startDnsServer();
  let passedMs = 0;
  const service = createService({
    now: () => new Date(Date.now() + passedMs),
    ...{ ephemeral: true, dev: true, background: false, pagesUrl: `http://${PAGES_HOST}` },
    domains: { dnsServers: [dns.address] },
    ...options,
  });
  onTestFinished(async () => {
    recordRoutes(service);
    await service.close();
  });
  return {
    ...{ service, dns, a: clientOf(service, { routeSet: "a" }), b: clientOf(service, { routeSet: "b" }) },
    advance(ms) {
      passedMs += ms;
    },
  };
}

/** Returns the DNS records that domains need, as set by their owner, and the service's address. */
export function zoneFor(...domains: readonly Fields[]): Zone {
  const zone: Zone = { [PAGES_HOST]: [["A", "203.0.113.7"]] };
  for (const domain of domains) {
    for (const { type, name, value } of [domain.verification, domain.dns].flat().filter(isRecord)) {
      // DNS hosts resolve an ALIAS to an address.
      const record = type === "ALIAS" ? (["A", "203.0.113.7"] as const) : ([type, value] as const);
      zone[name] = [...(zone[name] ?? []), record];
    }
  }
  return zone;
}

interface ZoneRecord {
  readonly type: "A" | "AAAA" | "CNAME" | "TXT" | "ALIAS";
  readonly name: string;
  readonly value: string;
}

function isRecord(value: unknown): value is ZoneRecord {
  return typeof value === "object" && value !== null && "type" in value && "name" in value && "value" in value;
}
