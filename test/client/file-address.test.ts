import { expect, it } from "vitest";
import { findExpiry, withoutSignature } from "../../src/client/file-address.ts";

const token = `e30.${Buffer.from('{"url":"a.png","exp":1790000000}').toString("base64url")}.c2ln`;

it.each([
  ["X-Amz-Date=20260101T000000Z&X-Amz-Expires=604800&X-Amz-Signature=ab", "2026-01-08T00:00:00.000Z"],
  ["X-Goog-Date=20260101T120000Z&X-Goog-Expires=60&X-Goog-Signature=ab", "2026-01-01T12:01:00.000Z"],
  ["Expires=1790000000&Signature=ab&Key-Pair-Id=K1", "2026-09-21T14:13:20.000Z"],
  ["exp=1790000000&sig=ab", "2026-09-21T14:13:20.000Z"],
  ["expires=1790000000000&token=ab", "2026-09-21T14:13:20.000Z"],
  ["sv=2024-11-04&se=2026-09-21T14%3A13%3A20Z&sr=b&sp=r&sig=ab", "2026-09-21T14:13:20.000Z"],
  [`token=${token}`, "2026-09-21T14:13:20.000Z"],
])("an address with %s expires, and is permanent without it", (query, time) => {
  expect(findExpiry(`https://cdn.example/x.png?${query}`)?.toISOString()).toBe(time);
  expect(withoutSignature(`https://cdn.example/x.png?id=7&${query}`)).toBe("https://cdn.example/x.png?id=7");
});

it.each(["", "?v=3", "?se=stockholm&sp=1", "?alt=media&token=7c9e6679-7425-40de-944b-e07fc1f90ae7", "?exp=3"])(
  "an address with %o doesn't expire",
  (query) => {
    expect(findExpiry(`https://cdn.example/x.png${query}`)).toBeUndefined();
  },
);
