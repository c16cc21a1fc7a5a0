import { describe, expect, it } from "vitest";
import { createBudget } from "../../../src/brand/budget.ts";
import { substituteVariables } from "../../../src/brand/css/values.ts";

function substitute(value: string, variables: Readonly<Record<string, string>>): string | undefined {
  return substituteVariables(value, { find: (name) => variables[name] }, createBudget(100_000));
}

describe("substituteVariables", () => {
  it.each([
    ["red", {}, "red"],
    ["var(--a)", { "--a": "red" }, "red"],
    ["1px solid var( --a , blue )", { "--a": "red" }, "1px solid red"],
    ["var(--a, var(--b, rgb(1, 2, 3)))", {}, "rgb(1, 2, 3)"],
    ["var(--a) var(--b)", { "--a": "x", "--b": "var(--a)" }, "x x"],
    ["my-var(--a)", { "--a": "red" }, "my-var(--a)"],
    ["var(--a,)", {}, ""],
    [
      "color-mix(in oklab,var(--a)80%,var(--b)5%)",
      { "--a": "#fff", "--b": "red" },
      "color-mix(in oklab,#fff 80%,red 5%)",
    ],
    ["hsl(var(--h)var(--s)50%)", { "--h": "20", "--s": "40%" }, "hsl(20 40% 50%)"],
    ["rgba(var(--a),.5)", { "--a": "1,2,3" }, "rgba(1,2,3,.5)"],
    ["var(--a)", {}, undefined],
    ["var(--a)", { "--a": "initial" }, undefined],
    ["var(--a)", { "--a": "var(--a)" }, undefined],
    ["var(--a, red)", { "--a": "var(--b)", "--b": "var(--a)" }, "red"],
    ["var(--a, red)", { "--a": "var(--b)", "--b": "var(--c, blue)", "--c": "var(--a)" }, "red"],
  ] as const)("replaces %s", (value, variables, expected) => {
    expect(substitute(value, variables)).toBe(expected);
  });

  it("stops if values that reference each other grow beyond the limit", () => {
    const names = Array.from(
      { length: 40 },
      (_, index) => [`--v${index}`, `var(--v${index + 1}) var(--v${index + 1})`] as const,
    );
    const variables = { ...Object.fromEntries(names), "--v40": "x" };
    expect(substitute("var(--v0)", variables)).toBeUndefined();
    expect(substitute("var(--v35, red)", variables)).toBe(Array.from({ length: 32 }, () => "x").join(" "));
  });
});
