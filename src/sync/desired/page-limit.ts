import type { Capabilities } from "../../client/api.ts";
import type { Options } from "../../options/schema.ts";

/** What the service can do, with the user's own limit for pages where that is the smaller one. */
export function limitPages(capabilities: Capabilities, { maxHtmlBytes }: Options): Capabilities {
  if (maxHtmlBytes === undefined) return capabilities;
  const announced = capabilities.limits["maxPageBytes"] ?? maxHtmlBytes;
  return { ...capabilities, limits: { ...capabilities.limits, maxPageBytes: Math.min(announced, maxHtmlBytes) } };
}
