import { sandboxed } from "./parts/sandboxed.ts";

/** Answers with HTML of the account for a frame to show. It has no session, reaches nothing and leads nowhere. */
export function answerPreview(html: Uint8Array | string, baseUrl: string): Response {
  // Links would lead the frame to where it may not go; towards a new window, which it may not open, they do nothing.
  const start = `<!doctype html><base href="${baseUrl}" target="_blank">`;
  return sandboxed(Buffer.concat([Buffer.from(start), Buffer.from(html)]), { scripts: "run" });
}
