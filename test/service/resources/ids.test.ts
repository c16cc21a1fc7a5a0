import { expect, it } from "vitest";
import { createIdAt, type IdPrefix } from "../../../src/service/resources/context.ts";

const highest = (size: number) => new Uint8Array(size).fill(255);
const lowest = (size: number) => new Uint8Array(size);

it.each(["evt", "msg", "log", "sb", "mail"] as const)(
  "a later %s has a higher id, whatever its random part",
  (prefix) => {
    const earlier = createIdAt(new Date("2026-08-01T10:00:00.000Z"), { prefix, random: highest });
    const later = createIdAt(new Date("2026-08-01T10:00:00.001Z"), { prefix, random: lowest });
    expect([later, earlier].toSorted()).toEqual([earlier, later]);
    expect(later).toMatch(/^[a-z]+_[0-9A-Za-z]{22}$/);
  },
);

it.each(["key", "pg", "acc"] satisfies IdPrefix[])("the id of a %s doesn't reveal its time", (prefix) => {
  const ids = [1, 2].map((time) => createIdAt(new Date(time), { prefix, random: lowest }));
  expect(ids[0]).toBe(ids[1]);
});
