import { atom, computed } from "nanostores";

export interface Packet {
  readonly name: string;
  readonly pence: number;
}

export const packets = atom<readonly Packet[]>([]);

export const total = computed(packets, (list) => list.reduce((sum, { pence }) => sum + pence, 0));

export function addPacket(packet: Packet): void {
  packets.set([...packets.get(), packet]);
}

export function formatPence(pence: number): string {
  return `£${(pence / 100).toFixed(2)}`;
}
