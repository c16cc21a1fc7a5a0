import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { verifyWebhook } from "../../src/client.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
const AT = new Date("2026-03-01T12:00:00Z");
const BODY = JSON.stringify({ type: "page.published", timestamp: "2026-03-01T11:59:58.000Z", data: { slug: "grün" } });

/** Headers made by the package of the standard's authors. */
function sign(secret: string, body = BODY, at = AT) {
  return {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(at.getTime() / 1000),
    "webhook-signature": new Webhook(secret).sign("msg_1", at, body),
  };
}

const now = () => AT;
const given = { secret: SECRET, headers: sign(SECRET), body: BODY, now };

function refusal(change: Partial<Parameters<typeof verifyWebhook>[0]>): unknown {
  try {
    return verifyWebhook({ ...given, ...change });
  } catch (error) {
    return Object(error).code;
  }
}

describe("a webhook", () => {
  it("that the service signed is read", () => {
    expect(verifyWebhook(given)).toEqual({
      id: "msg_1",
      type: "page.published",
      timestamp: new Date("2026-03-01T11:59:58.000Z"),
      data: { slug: "grün" },
    });
  });

  it.each([
    ["headers of fetch", { headers: new Headers(sign(SECRET)) }],
    ["headers of any case", { headers: { "Webhook-Id": "msg_1", ...upper(sign(SECRET)) } }],
    [
      "headers as lists",
      { headers: Object.fromEntries(Object.entries(sign(SECRET)).map(([key, one]) => [key, [one]])) },
    ],
    ["a body as bytes", { body: Buffer.from(BODY) }],
    ["a secret without its prefix", { secret: SECRET.slice(6) }],
    ["several secrets", { secret: [OTHER, SECRET] }],
    [
      "several signatures",
      { headers: { ...sign(SECRET), "webhook-signature": `v1a,abc v1,AAAA ${sign(SECRET)["webhook-signature"]}` } },
    ],
    ["an age within the tolerance", { now: () => new Date(AT.getTime() + 300_000) }],
    ["a clock that is behind", { now: () => new Date(AT.getTime() - 300_000) }],
  ] as const)("may come with %s", (_, change) => {
    expect(verifyWebhook({ ...given, ...change }).type).toBe("page.published");
  });

  it.each([
    ["another secret", { secret: OTHER }],
    ["another body", { body: `${BODY} ` }],
    ["another id", { headers: { ...sign(SECRET), "webhook-id": "msg_2" } }],
    ["another time", { headers: { ...sign(SECRET), "webhook-timestamp": String(AT.getTime() / 1000 + 1) } }],
    ["no signature", { headers: { ...sign(SECRET), "webhook-signature": undefined } }],
    ["an empty signature", { headers: { ...sign(SECRET), "webhook-signature": "v1," } }],
    ["a signature of another version", { headers: { ...sign(SECRET), "webhook-signature": relabelled() } }],
    ["no id", { headers: { ...sign(SECRET), "webhook-id": undefined } }],
    ["a time that is none", { headers: { ...sign(SECRET), "webhook-timestamp": "soon" } }],
    ["an old time", { now: () => new Date(AT.getTime() + 301_000) }],
    ["a time ahead", { now: () => new Date(AT.getTime() - 301_000) }],
    ["signed text that is no message", { headers: sign(SECRET, "{}"), body: "{}" }],
    ["signed text that is no JSON", { headers: sign(SECRET, "{"), body: "{" }],
  ] as const)("is refused with %s", (_, change) => {
    expect(refusal(change)).toBe("WEBHOOK_INVALID");
  });

  it.each(["", "whsec_", "not base64!", []])("is never read with the secret %j", (secret) => {
    expect(refusal({ secret })).toBe("OPTIONS_INVALID");
  });

  it("is refused whatever the headers hold, unless they hold the signature", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (id, signature) => {
        const headers = { ...sign(SECRET), "webhook-id": id, "webhook-signature": signature };
        expect(refusal({ headers })).toBe("WEBHOOK_INVALID");
      }),
    );
  });
});

function upper(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
}

function relabelled(): string {
  return sign(SECRET)["webhook-signature"].replace("v1,", "v2,");
}
