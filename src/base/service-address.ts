/** The address of a service in the one form in which it is compared and kept: `http://LOCALHOST:4401/` is `http://localhost:4401`. */
export function serviceAddress(address: string): string {
  return (URL.parse(address)?.href ?? address).replace(/\/+$/, "");
}

const HOST = /^(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|(?:[a-z0-9-]{1,63}\.)+[a-z]{2,24})(?::\d{1,5})?(?:\/\S*)?$/i;
const THIS_MACHINE = /^(?:localhost|127\.)/i;

/** The whole address of a service that was named by its host alone; `undefined` for other texts, which may be a key. */
export function withScheme(address: string): string | undefined {
  if (!HOST.test(address)) return undefined;
  return `${THIS_MACHINE.test(address) ? "http" : "https"}://${address}`;
}
