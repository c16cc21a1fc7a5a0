import { createHmac, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import { ImprintError } from "../base/error.ts";

/** A webhook message verified to be from the service. */
export interface WebhookMessage {
  /** The same in every delivery attempt: store it to process each message only once. */
  readonly id: string;
  /**
   * Type of the event: `page.published`, `page.updated`, `page.deleted`, `form.submitted`, `lead.captured`, or
   * `webhook.test`.
   */
  readonly type: string;
  /** When it happened, possibly days before it arrives. */
  readonly timestamp: Date;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface VerifyWebhookOptions {
  /** The webhook's secret (`whsec_…`); several during rotation. */
  readonly secret: string | readonly string[];
  /** The headers of the request, from `fetch` or `node:http`. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body exactly as received. A reserialized body doesn't match. */
  readonly body: string | Uint8Array;
  /**
   * Maximum age of a request, or how far ahead of the local clock it may be, in seconds. Prevents replays of
   * intercepted requests.
   *
   * @default 300 (5 minutes)
   */
  readonly toleranceSeconds?: number;
  /**
   * Returns the current time.
   *
   * @default () => new Date()
   */
  readonly now?: () => Date;
}

const SECRET_PREFIX = "whsec_";

const messageSchema = z.object({
  type: z.string(),
  timestamp: z.iso.datetime({ offset: true }),
  data: z.record(z.string(), z.unknown()),
});

/**
 * Parses a webhook message after verifying that the service sent it recently (Standard Webhooks, HMAC-SHA256). Throws
 * `WEBHOOK_INVALID` for anything else: respond with 400 and do nothing. Throws `OPTIONS_INVALID` if the secret is
 * malformed.
 *
 * @example
 * const message = verifyWebhook({
 *   secret: process.env.IMPRINT_WEBHOOK_SECRET ?? "",
 *   headers: request.headers,
 *   body: await request.text(),
 * });
 * if (message.type === "form.submitted") await notify(message.data);
 */
export function verifyWebhook(options: VerifyWebhookOptions): WebhookMessage {
  const { secret, headers, toleranceSeconds = 300, now = () => new Date() } = options;
  const keys = [secret].flat().map(parseSecret);
  if (keys.length === 0) throw new ImprintError("OPTIONS_INVALID", "No secret was given to verify the webhook with.");
  const body = typeof options.body === "string" ? Buffer.from(options.body) : options.body;
  const id = readHeader(headers, "webhook-id");
  const timestamp = readHeader(headers, "webhook-timestamp");
  checkAge(timestamp, { toleranceSeconds, now: now() });
  const content = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  if (!isSigned(content, { keys, signatures: readHeader(headers, "webhook-signature") })) {
    throw invalid("No signature of the request matches the secret.");
  }
  return { id, ...parseMessage(body) };
}

function parseSecret(secret: string): Buffer {
  const text = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  if (text !== "" && /^[A-Za-z0-9+/]+={0,2}$/.test(text)) return Buffer.from(text, "base64");
  throw new ImprintError("OPTIONS_INVALID", "The webhook's secret is malformed.", {
    hint: "Copy it from the response that created the webhook: it starts with whsec_.",
  });
}

function readHeader(headers: VerifyWebhookOptions["headers"], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : findHeader(headers, name);
  if (typeof value !== "string" || value === "") throw invalid(`The request has no header ${name}.`);
  return value;
}

function findHeader(headers: Exclude<VerifyWebhookOptions["headers"], Headers>, name: string): string | undefined {
  const [, value] = Object.entries(headers).find(([known]) => known.toLowerCase() === name) ?? [];
  return typeof value === "string" ? value : value?.[0];
}

interface Age {
  readonly toleranceSeconds: number;
  readonly now: Date;
}

function checkAge(timestamp: string, { toleranceSeconds, now }: Age): void {
  if (!/^\d{1,12}$/.test(timestamp)) throw invalid("The header webhook-timestamp is not a time.");
  const seconds = now.getTime() / 1000 - Number(timestamp);
  if (Math.abs(seconds) <= toleranceSeconds) return;
  throw invalid(`The request was signed ${Math.round(Math.abs(seconds))} seconds ${seconds > 0 ? "ago" : "ahead"}.`);
}

interface Signatures {
  readonly keys: readonly Buffer[];
  /** One per version, separated by spaces: `v1,<base64> v1a,<base64>`. */
  readonly signatures: string;
}

// Every pair is compared regardless of earlier matches, so that timing reveals nothing.
function isSigned(content: Buffer, { keys, signatures }: Signatures): boolean {
  const given = signatures
    .split(" ")
    .filter((signature) => signature.startsWith("v1,"))
    .map((signature) => Buffer.from(signature.slice(3), "base64"));
  const expected = keys.map((key) => createHmac("sha256", key).update(content).digest());
  return expected
    .flatMap((own) => given.map((other) => other.byteLength === own.byteLength && timingSafeEqual(own, other)))
    .includes(true);
}

function parseMessage(body: Uint8Array): Omit<WebhookMessage, "id"> {
  const parsed = messageSchema.safeParse(parseJson(new TextDecoder().decode(body)));
  if (!parsed.success) throw invalid("The body is not a webhook message.");
  return { ...parsed.data, timestamp: new Date(parsed.data.timestamp) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid("The body is not JSON.", error);
  }
}

function invalid(message: string, cause?: unknown): ImprintError {
  return new ImprintError("WEBHOOK_INVALID", message, { cause });
}
