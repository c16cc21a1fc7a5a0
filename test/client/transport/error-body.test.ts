import fc from "fast-check";
import { expect, it } from "vitest";
import { parseErrorBody } from "../../../src/client/transport/error-body.ts";

it.each([
  [
    { title: "Wrong.", detail: "Very.", errors: [{ pointer: "/body/slug", detail: "is bad" }] },
    "Wrong. Very.",
    [{ pointer: "/body/slug", detail: "is bad" }],
  ],
  [{ error: "No such page" }, "No such page", []],
  [{ message: "No such page" }, "No such page", []],
  [{ error: { message: "No", code: "nope" } }, "No", []],
  [{ error: "invalid_token", error_description: "expired" }, "invalid_token expired", []],
  [
    { message: "Bad", errors: ["a", "b"] },
    "Bad",
    [
      { pointer: "", detail: "a" },
      { pointer: "", detail: "b" },
    ],
  ],
  [
    { message: "Bad", errors: { slug: ["is taken"], title: "is long" } },
    "Bad",
    [
      { pointer: "slug", detail: "is taken" },
      { pointer: "title", detail: "is long" },
    ],
  ],
  [
    { detail: [{ loc: ["body", "slug"], msg: "field required" }] },
    "",
    [{ pointer: "/body/slug", detail: "field required" }],
  ],
  [
    { error: { message: "Invalid", details: [{ path: ["html"], message: "Required" }] } },
    "Invalid",
    [{ pointer: "/html", detail: "Required" }],
  ],
  [
    { errors: [{ detail: "is bad", source: { pointer: "/data/slug" } }] },
    "",
    [{ pointer: "/data/slug", detail: "is bad" }],
  ],
  ["nothing here", "nothing here", []],
  // The error formats of common frameworks.
  [{ error: { message: "No", fields: { slug: "is long" } } }, "No", [{ pointer: "slug", detail: "is long" }]],
  [
    { error: "Bad", issues: [{ path: ["slug"], message: "is long" }] },
    "Bad",
    [{ pointer: "/slug", detail: "is long" }],
  ],
  [
    { title: "No", "invalid-params": [{ name: "slug", reason: "is long" }] },
    "No",
    [{ pointer: "slug", detail: "is long" }],
  ],
  [
    { slug: ["is long", "is odd"] },
    "",
    [
      { pointer: "slug", detail: "is long" },
      { pointer: "slug", detail: "is odd" },
    ],
  ],
  [{ statusCode: 400, message: ["slug is long"], error: "Bad" }, "Bad", [{ pointer: "", detail: "slug is long" }]],
  [{ violations: [{ propertyPath: "slug", message: "is long" }] }, "", [{ pointer: "slug", detail: "is long" }]],
  [
    { error: { status: 400, message: "No", details: { errors: [{ path: ["slug"], message: "is long" }] } } },
    "No",
    [{ pointer: "/slug", detail: "is long" }],
  ],
  [
    { error: { message: "No", details: [{ fieldViolations: [{ field: "slug", description: "is long" }] }] } },
    "No",
    [{ pointer: "slug", detail: "is long" }],
  ],
  [
    { message: "No", errors: { formErrors: [], fieldErrors: { slug: ["is long"] } } },
    "No",
    [{ pointer: "slug", detail: "is long" }],
  ],
])("extracts the message from %j", (body, summary, errors) => {
  expect(parseErrorBody(JSON.stringify(body))).toMatchObject({ kind: "json", summary, errors });
});

it("uses a web page's title, and plain text unchanged", () => {
  expect(parseErrorBody("<!DOCTYPE html><title>502 Bad\nGateway</title>")).toMatchObject({
    kind: "html",
    summary: "502 Bad Gateway",
  });
  const page = (title: string, body: string) => parseErrorBody(`<html><head><title>${title}</title>${body}`).summary;
  expect(page("502 Bad Gateway", "<center><h1>502 Bad Gateway</h1></center>")).toBe("502 Bad Gateway");
  expect(page("Ghost", "<h1>403</h1><p>Your plan doesn&#39;t <b>include</b> this.</p>")).toBe(
    "Ghost. 403. Your plan doesn't include this.",
  );
  expect(page("a.test | 522", "<style>p{}</style><h1>Error 522</h1><p></p><p>Connection timed out</p>")).toBe(
    "a.test | 522. Error 522. Connection timed out",
  );
  expect(parseErrorBody("upstream timed out\n")).toMatchObject({ kind: "text", summary: "upstream timed out" });
  expect(parseErrorBody(" ")).toMatchObject({ kind: "empty", summary: "" });
});

it("keeps the error code and the request id", () => {
  expect(parseErrorBody('{"title":"x","code":"slug_taken","requestId":"req_1"}')).toMatchObject({
    problemCode: "slug_taken",
    requestId: "req_1",
  });
});

it("never throws, grows long, or passes control characters to a terminal", () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string({ unit: "binary" })), (body) => {
      const { summary, errors } = parseErrorBody(body);
      for (const text of [summary, ...errors.flatMap(({ pointer, detail }) => [pointer, detail])]) {
        // oxlint-disable-next-line no-control-regex
        expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
        expect(text.length).toBeLessThan(700);
      }
      expect(errors.length).toBeLessThanOrEqual(20);
    }),
  );
});

it.each([
  ["<h1>Analytics is rebuilding</h1>\n<hr>", "Analytics is rebuilding"],
  ["<center>Come back <b>at 14:00</b></center>", "Come back at 14:00"],
  ['<?xml version="1.0"?><Error><Message>Access &amp; rights</Message></Error>', "Access & rights"],
  ["<3 from us", "<3 from us"],
])("%s is quoted without its tags", (body, summary) => {
  expect(parseErrorBody(body)).toMatchObject({ kind: "text", summary });
});
