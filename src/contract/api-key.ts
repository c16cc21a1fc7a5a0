import { crc32 } from "node:zlib";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_LENGTH = 22;
const CHECKSUM_LENGTH = 6;
const KEY_PATTERN = /^imp_([a-z]{1,12})_([0-9A-Za-z]{22})_([0-9A-Za-z]{6})$/;

/** Number of random bytes in a key or an ID. */
export const RANDOM_BYTES = 16;

export interface ApiKeyParts {
  /** `dev` for a service on this machine, `live` for a hosted one. */
  readonly environment: string;
  /** The last four characters, which may be shown to distinguish keys. */
  readonly lastFour: string;
}

/**
 * Formats 16 random bytes as an API key: `imp_<environment>_<22 characters>_<6 characters of checksum>`.
 *
 * @example
 * formatApiKey("dev", randomBytes(16)) // "imp_dev_4fJ…_1aZ0kQ"
 */
export function formatApiKey(environment: string, random: Uint8Array): string {
  const body = `imp_${environment}_${base62(random)}`;
  return `${body}_${checksumOf(body)}`;
}

/** Parses an API key; returns `undefined` if it is mistyped, truncated, or not a key of this service. */
export function parseApiKey(text: string): ApiKeyParts | undefined {
  const [, environment, secret, checksum] = KEY_PATTERN.exec(text) ?? [];
  if (environment === undefined || secret === undefined) return undefined;
  if (checksumOf(`imp_${environment}_${secret}`) !== checksum) return undefined;
  return { environment, lastFour: text.slice(-4) };
}

/**
 * Whether a text that starts like one of our keys (`imp_`) is intact, so that a mistyped key is rejected without a
 * request. The format of other services' keys is unknown, so check `startsLikeApiKey` first.
 */
export function hasValidChecksum(text: string): boolean {
  return parseApiKey(text) !== undefined;
}

/** Whether a text looks like a key of this service. */
export function startsLikeApiKey(text: string): boolean {
  return text.startsWith("imp_");
}

/** Encodes 16 bytes as exactly 22 characters of `[0-9A-Za-z]`. */
export function base62(bytes: Uint8Array): string {
  // Loops by index and long division by hand: every request has an ID, and iterators or BigInt take longer.
  const view = new DataView(bytes.buffer, bytes.byteOffset, RANDOM_BYTES);
  const parts: number[] = [];
  for (let offset = 0; offset < RANDOM_BYTES; offset += 2) parts.push(view.getUint16(offset));
  let text = "";
  while (text.length < SECRET_LENGTH) {
    let rest = 0;
    for (let index = 0; index < parts.length; index++) {
      const value = rest * 2 ** 16 + (parts[index] ?? 0);
      parts[index] = Math.floor(value / FIVE_DIGITS);
      rest = value % FIVE_DIGITS;
    }
    text = formatDigits(rest, Math.min(5, SECRET_LENGTH - text.length)) + text;
  }
  return text;
}

const FIVE_DIGITS = 62 ** 5;

function checksumOf(body: string): string {
  return formatDigits(crc32(body), CHECKSUM_LENGTH);
}

function formatDigits(value: number, length: number): string {
  let rest = value;
  let text = "";
  for (let index = 0; index < length; index++) {
    text = DIGITS.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
