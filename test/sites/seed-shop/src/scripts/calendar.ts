import { packets } from "../stores/basket";

// A chunk of its own, with a style sheet of its own: Vite writes a preload list for it.
export async function showCalendar(target: HTMLElement): Promise<void> {
  const { renderCalendar } = await import("./render-calendar");
  renderCalendar(target, packets.get().length);
}
