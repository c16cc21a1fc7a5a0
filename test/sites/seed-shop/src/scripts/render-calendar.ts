import "./calendar.css";
import { formatPence, total } from "../stores/basket";

export function renderCalendar(target: HTMLElement, packetCount: number): void {
  target.className = "sowing-calendar";
  target.textContent = `March to May, ${packetCount} packets, ${formatPence(total.get())}`;
}
