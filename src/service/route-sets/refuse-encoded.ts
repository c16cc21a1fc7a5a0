import { ProblemError } from "../resources/problem-error.ts";

/** Refuses a compressed body: a few kilobytes of it can stand for gigabytes. */
export function refuseEncoded(contentEncoding: string | null): void {
  if (contentEncoding === null || /^\s*(?:identity\s*)?$/i.test(contentEncoding)) return;
  throw new ProblemError("unsupported_media_type", {
    detail: "Send the body as it is, without Content-Encoding.",
    headers: { "Accept-Encoding": "identity" },
  });
}
