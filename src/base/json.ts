/** Parses JSON; returns `undefined` if it is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const LONG_INTEGER = /[[:,]\s*-?\d{16,}\s*[,}\]]/;

/**
 * Parses JSON. Integers beyond 2^53, such as ids of distributed databases, become texts of all their digits.
 *
 * @throws SyntaxError if it is invalid
 */
export function parseExactJson(text: string): unknown {
  // A reviver is slow, and few services have such ids.
  return LONG_INTEGER.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
}

function keepDigits(_: string, value: unknown, { source }: { readonly source?: string } = {}): unknown {
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? (source ?? value) : value;
}

export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
