import { createSocket } from "node:dgram";
import { once } from "node:events";
import dnsPacket, { type Answer } from "dns-packet";
import { onTestFinished } from "vitest";

/** Records by name, each as `[type, value]`; other names don't exist. `silent`: no query gets a response. */
export type Zone = Record<string, readonly (readonly ["A" | "AAAA" | "CNAME" | "TXT", string])[]>;

export interface DnsServer {
  /** Address for the service's options: `127.0.0.1:<port>`. */
  readonly address: string;
  /** The queried names, in order. */
  readonly asked: readonly string[];
  /** Replaces all records. */
  set(zone: Zone | "broken"): void;
}

/** Starts a DNS server on UDP that follows aliases like a resolver. Responds with SERVFAIL for `broken` zones. */
export async function startDnsServer(first: Zone | "broken" = {}): Promise<DnsServer> {
  let zone = first;
  const asked: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (bytes, { port, address }) => {
    const { id, questions = [] } = dnsPacket.decode(bytes);
    const [question] = questions;
    if (question === undefined) return;
    asked.push(`${question.type} ${question.name}`);
    const answers = zone === "broken" ? [] : answersTo(zone, { ...question, depth: 0 });
    const code = zone === "broken" ? 2 : question.name.toLowerCase() in zone ? 0 : 3;
    const flags = dnsPacket.RECURSION_DESIRED | dnsPacket.RECURSION_AVAILABLE | code;
    socket.send(dnsPacket.encode({ type: "response", id, flags, questions, answers }), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  onTestFinished(() => void socket.close());
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    set(next) {
      zone = next;
    },
  };
}

function answersTo(
  zone: Zone,
  { name, type, depth }: { readonly name: string; readonly type: string; readonly depth: number },
): Answer[] {
  const records = zone[name.toLowerCase()] ?? [];
  const own = records
    .filter(([kind]) => kind === type)
    .map(([kind, data]): Answer => {
      if (kind === "TXT") return { type: "TXT", name, ttl: 1, data };
      return { type: kind, name, ttl: 1, data };
    });
  const alias = records.find(([kind]) => kind === "CNAME");
  if (own.length > 0 || alias === undefined || depth > 5) return own;
  const [, target] = alias;
  return [{ type: "CNAME", name, ttl: 1, data: target }, ...answersTo(zone, { name: target, type, depth: depth + 1 })];
}
