import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ImprintError } from "../../src/base/error.ts";
import { createClient, type ClientOptions } from "../../src/client.ts";
import { formatApiKey } from "../../src/contract/api-key.ts";
import { SILENT_LOGGER } from "../../src/base/log.ts";

const KEY = formatApiKey("dev", new Uint8Array(16).fill(7));

function refusal(options: Partial<ClientOptions>): unknown {
  try {
    createClient({ baseUrl: "http://localhost:4400", apiKey: KEY, routeSet: "a", ...options });
  } catch (error) {
    return error;
  }
  return undefined;
}

describe("a key", () => {
  it("is accepted if its checksum is valid, or if it has the format of another service", () => {
    expect(refusal({ apiKey: KEY })).toBeUndefined();
    expect(refusal({ apiKey: "sk_live_51H8x/+=." })).toBeUndefined();
  });

  it("of ours with one character changed, removed, or doubled is rejected without a request", () => {
    fc.assert(
      fc.property(fc.nat({ max: KEY.length - 5 }), fc.constantFrom("change", "drop", "double"), (place, kind) => {
        const index = place + 4;
        const old = KEY.charAt(index);
        const changed = { change: old === "x" ? "y" : "x", drop: "", double: old + old }[kind];
        const error = refusal({ apiKey: KEY.slice(0, index) + changed + KEY.slice(index + 1) });
        expect(error).toBeInstanceOf(ImprintError);
        expect(error).toMatchObject({ code: "KEY_MALFORMED" });
      }),
    );
  });

  it.each([
    ["", "KEY_MISSING", "No API key was given."],
    ["two words", "KEY_MALFORMED", "The API key has a space at character 4."],
    ["line\n", "KEY_MALFORMED", "The API key has a line break at character 5."],
    ['"quoted"', "KEY_MALFORMED", "The API key has a quotation mark at character 1."],
    ["schlüssel", "KEY_MALFORMED", "The API key has a character that keys never contain at character 5."],
    ["nul\u0000", "KEY_MALFORMED", "The API key has a character that keys never contain at character 4."],
  ])("%j is rejected as %s, without being repeated", (apiKey, code, message) => {
    expect(refusal({ apiKey })).toMatchObject({ code, message });
  });

  it("with the word Bearer is reported as such", () => {
    expect(refusal({ apiKey: `Bearer ${KEY}` })).toMatchObject({
      hint: "Remove `Bearer` from the start of the key.",
    });
  });
});

describe("an address", () => {
  it.each([
    ["localhost:4400", "The address of the service must start with http:// or https://."],
    ["", "The address of the service must start with http:// or https://."],
    ["ftp://x.example", "The address of the service must start with http:// or https://."],
    ["https://me:secret@x.example", "The address of the service on x.example must not contain a password."],
    ["https://x.example/?a=1", "The address https://x.example/ must not be followed by ? or #."],
  ])("%j is rejected", (baseUrl, message) => {
    expect(refusal({ baseUrl })).toMatchObject({ code: "OPTIONS_INVALID", message });
  });

  it("loses trailing slashes and keeps its path", () => {
    const api = createClient({ baseUrl: "https://x.example/v1//", apiKey: KEY, routeSet: "a" });
    expect(api.baseUrl).toBe("https://x.example/v1");
  });

  it("without encryption causes a warning, unless it is on this machine", () => {
    const warnings: string[] = [];
    const logger = { ...SILENT_LOGGER, warn: (message: string) => void warnings.push(message) };
    for (const host of ["localhost:1", "127.0.0.1", "[::1]:4400", "a.localhost", "pages.example.org"]) {
      createClient({ baseUrl: `http://${host}`, apiKey: KEY, routeSet: "a", logger });
    }
    expect(warnings).toEqual([
      "The key is sent without encryption to http://pages.example.org. Use https if the service offers it.",
    ]);
  });
});

it.each(["timeoutMs", "maxAttempts", "maxThrottledMs", "maxResponseBytes", "maxConnections"])(
  "%s that isn't a positive integer is rejected",
  (name) => {
    for (const value of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(refusal({ [name]: value })).toMatchObject({ code: "OPTIONS_INVALID" });
    }
  },
);
