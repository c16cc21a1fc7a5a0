import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { extensionRoutes, routesOf } from "../../src/contract/operations.ts";
import { EXTENSION_ROUTES, ROUTES_A, ROUTES_B } from "../../src/contract/routes.ts";
import { clientOf, openService } from "./open-service.ts";

const ROOT = new URL("../../", import.meta.url);

interface Row {
  readonly method: string;
  readonly path: string;
}

const SECTIONS: readonly { readonly title: string; readonly rows: readonly Row[] }[] = [
  { title: "Route set A", rows: ROUTES_A },
  { title: "Route set B", rows: ROUTES_B },
  { title: "Extensions", rows: EXTENSION_ROUTES },
];

/** The rows of a section of docs/route-coverage.md, each with the files of its two tests. */
function coverageIn(title: string) {
  const text = readFileSync(new URL("docs/route-coverage.md", ROOT), "utf8");
  const section = text.split("\n## ").find((each) => each.startsWith(title)) ?? "";
  const lines = section.split("\n").filter((line) => line.startsWith("| `"));
  return new Map(
    lines.map((line) => {
      const [, row = "", success = "", problem = ""] = line.split(" | ").flatMap((cell) => cell.split(/^\| /));
      return [row.replaceAll("`", ""), [success, problem].map((cell) => /^`([^`]+)`/.exec(cell)?.[1])] as const;
    }),
  );
}

describe.each(SECTIONS)("$title", ({ title, rows }) => {
  it.each(rows)("has a test in which $method $path succeeds and one in which it fails", ({ method, path }) => {
    const files = coverageIn(title).get(`${method} ${path}`);
    expect(files, "run `npm run docs:routes`").toHaveLength(2);
    for (const file of files ?? []) expect(existsSync(new URL(file ?? "none", ROOT)), `the test ${file}`).toBe(true);
  });
});

describe.each(["a", "b"] as const)("route set %s", (routeSet) => {
  it("implements every row", async () => {
    const send = clientOf(openService(), { routeSet });
    for (const { method, path } of [...routesOf(routeSet), ...extensionRoutes()]) {
      const { status, body } = await send(method, path.replaceAll(/:[A-Za-z]+/g, "one"));
      expect([status, body["code"]]).not.toEqual([501, "not_implemented"]);
    }
  });

  it.each([...routesOf(routeSet), ...extensionRoutes()].filter(({ method }) => method === "GET"))(
    "rejects an unknown query field for $method $path",
    async ({ path }) => {
      const send = clientOf(openService(), { routeSet });
      const { status, body } = await send("GET", `${path.replaceAll(/:[A-Za-z]+/g, "one")}?unknown=1`);
      expect([status, body["code"]]).toEqual([400, "invalid_query"]);
    },
  );

  it("doesn't create a sign-in link for a read-only key", async () => {
    const service = openService();
    const { apiKey } = await service.createKey({ name: "reader", scopes: ["pages:read"] });
    const { status, body } = await clientOf(service, { routeSet })("POST", "/api/sign-in-links", { apiKey });
    expect([status, body["code"]]).toEqual([403, "insufficient_scope"]);
  });
});
