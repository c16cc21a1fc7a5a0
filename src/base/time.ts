/** A time to the minute, in UTC: `2026-11-27 09:30 UTC`. */
export function formatMinute(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
