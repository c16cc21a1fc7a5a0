/** What a webhook is told. */
export interface Payload {
  readonly type: string;
  readonly at: Date;
  readonly data: Readonly<Record<string, unknown>>;
}

// What Standard Webhooks advises as the upper bound of a payload.
const MAX_PAYLOAD_BYTES = 20 * 1024;
const MAX_THIN_TEXT = 200;

/** The body of a delivery. One that would be too large holds the short members only, and says so with `thin: true`. */
export function renderPayload({ type, at, data }: Payload): string {
  const timestamp = at.toISOString();
  const whole = JSON.stringify({ type, timestamp, data });
  if (Buffer.byteLength(whole) <= MAX_PAYLOAD_BYTES) return whole;
  const short = Object.entries(data).filter(([, value]) => isShort(value));
  return JSON.stringify({ type, timestamp, data: { ...Object.fromEntries(short), thin: true } });
}

function isShort(value: unknown): boolean {
  return typeof value === "string" ? value.length <= MAX_THIN_TEXT : typeof value !== "object" || value === null;
}
