import { escapePattern } from "../../base/escape-pattern.ts";
import type { Settings } from "../options.ts";

/** The credential that a client sends with each request. */
export interface Bearer {
  readonly kind: "key" | "login";
  /** Returns the key, or a valid token of the login. Throws if a new token can't be obtained. */
  current(): Promise<string>;
  /** Removes the key, and every token that was used, from a text. */
  redact(text: string): string;
}

export function createBearer({ apiKey, accessToken }: Pick<Settings, "apiKey" | "accessToken">): Bearer {
  const redactors = new Map([[apiKey, createRedactor(apiKey)]]);
  return {
    kind: accessToken === undefined ? "key" : "login",
    async current() {
      if (accessToken === undefined) return apiKey;
      const token = await accessToken();
      if (!redactors.has(token)) redactors.set(token, createRedactor(token));
      return token;
    },
    redact: (text) => [...redactors.values()].reduce((redacted, redact) => redact(redacted), text),
  };
}

/**
 * Creates a function that removes a secret from a text, including echoes in percent-encoding, JSON, HTML, or base64.
 */
export function createRedactor(secret: string): (text: string) => string {
  const forms = [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
    Buffer.from(secret).toString("base64").replace(/=+$/, ""),
  ].filter((form) => form !== "");
  // What is redacted already stays: a short key may be a part of it.
  const pattern = new RegExp(["[key]", ...forms].map(escapePattern).join("|"), "g");
  return (text) => text.replaceAll(pattern, "[key]");
}
