/**
 * Normalizes a service's address for comparing and storing: `http://LOCALHOST:4401/` becomes `http://localhost:4401`.
 */
export function serviceAddress(address: string): string {
  return (URL.parse(address)?.href ?? address).replace(/\/+$/, "");
}

const HOST = /^(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|(?:[a-z0-9-]{1,63}\.)+[a-z]{2,24})(?::\d{1,5})?(?:\/\S*)?$/i;
const THIS_MACHINE = /^(?:localhost|127\.)/i;

/** Adds the scheme to a bare host; returns `undefined` for other texts, which may be a key. */
export function withScheme(address: string): string | undefined {
  if (!HOST.test(address)) return undefined;
  return `${THIS_MACHINE.test(address) ? "http" : "https"}://${address}`;
}
