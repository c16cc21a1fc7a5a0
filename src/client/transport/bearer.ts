import type { Settings } from "../options.ts";

/** What a client shows the service with each request. */
export interface Bearer {
  readonly kind: "key" | "login";
  /** The key, or a token of the login that is good for a while. Throws what getting a new one throws. */
  current(): Promise<string>;
  /** Takes the key, and every token that was in use, out of a text. */
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
 * Makes a function that takes a secret out of a text, also where a server echoed it in percent-encoding, JSON, HTML or
 * base64.
 */
export function createRedactor(secret: string): (text: string) => string {
  const forms = [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
    Buffer.from(secret).toString("base64").replace(/=+$/, ""),
  ].filter((form) => form !== "");
  return (text) => forms.reduce((redacted, form) => redacted.replaceAll(form, "[key]"), text);
}
