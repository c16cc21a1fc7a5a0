import { readFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { OPERATIONS, routesOf } from "../../src/contract/operations.ts";
import { EXTENSION_ROUTES, ROUTES_A, ROUTES_B } from "../../src/contract/routes.ts";
import { PROBLEMS } from "../../src/contract/problems.ts";
import { SCOPES } from "../../src/contract/scopes.ts";

const COPY = new URL("../../docs/specification.md", import.meta.url);
const ORIGINAL = new URL("../../../shared/spec/page-publishing-service.md", import.meta.url);

/** The rows of the first table after a heading of the specification. */
async function specifiedRows(heading: string): Promise<string[]> {
  const text = await readFile(COPY, "utf8");
  const section = text.slice(text.indexOf(`### ${heading}\n`)).split(/\n\n(?=Route set|Gaps|###)/)[0] ?? "";
  return [...section.matchAll(/^\| [^|]+ \| (GET|POST|PUT|PATCH|DELETE) \| `([^`]+)`/gm)].map(
    ([, method, path]) => `${method} ${path}`,
  );
}

describe("the contract", () => {
  it("lists the 31 rows of route set A in the specification's order", async () => {
    expect(ROUTES_A.map(({ method, path }) => `${method} ${path}`)).toEqual(await specifiedRows("Route set A"));
    expect(ROUTES_A).toHaveLength(31);
  });

  it("lists the 27 rows of route set B in the specification's order", async () => {
    expect(ROUTES_B.map(({ method, path }) => `${method} ${path}`)).toEqual(await specifiedRows("Route set B"));
    expect(ROUTES_B).toHaveLength(27);
  });

  it.skipIf(!existsSync(ORIGINAL))("includes a verbatim copy of the specification", async () => {
    expect(await readFile(COPY, "utf8")).toBe(await readFile(ORIGINAL, "utf8"));
  });

  it("gives every operation a row in at least one set or among the extensions", () => {
    const placed = new Set<string>([...ROUTES_A, ...ROUTES_B, ...EXTENSION_ROUTES].map((row) => row.operation));
    expect(Object.keys(OPERATIONS).filter((name) => !placed.has(name))).toEqual([]);
  });

  it("lists no extension that the specification lists too", () => {
    const specified = new Set<string>([...ROUTES_A, ...ROUTES_B].map(({ method, path }) => `${method} ${path}`));
    expect(EXTENSION_ROUTES.filter(({ method, path }) => specified.has(`${method} ${path}`))).toEqual([]);
  });

  it.each(["a", "b"] as const)("names only known scopes and problems in route set %s", (routeSet) => {
    for (const { scope, problems } of routesOf(routeSet)) {
      if (scope !== undefined) expect(SCOPES).toContain(scope);
      expect(problems.filter((code) => !(code in PROBLEMS))).toEqual([]);
    }
  });
});
