import type { Service } from "../../../src/service.ts";
import { visit } from "../open-service.ts";
import type { Typed } from "./visiting.ts";

export const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

/** Headers of a browser's page request. */
export const BROWSER = {
  Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "User-Agent": FIREFOX,
} as const;

/** Sends a message of the page script and returns the status of the response. */
export async function send(service: Service, message: unknown, headers: Typed = {}): Promise<number> {
  const body = typeof message === "string" ? message : JSON.stringify(message);
  const own = {
    "User-Agent": FIREFOX,
    Origin: new URL(service.pagesUrl).origin,
    "Content-Type": "text/plain",
    ...headers,
  };
  return (await visit(service, "/_b", { method: "POST", body, headers: own })).status;
}

/** Returns the message at the start of a view. */
export function view(p: string, more: object = {}) {
  return { t: "view", v: 1, p, k: "aaaaaaaaaaaa", w: 1280, r: "", ...more };
}

/** Returns a message about the progress of a view. */
export function leave(p: string, more: object = {}) {
  return { t: "leave", v: 1, p, k: "aaaaaaaaaaaa", w: 1280, n: 1, s: 50, e: 10, h: 2000, c: [], ...more };
}
