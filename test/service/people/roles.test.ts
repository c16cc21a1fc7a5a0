import { beforeAll, describe, expect, it } from "vitest";
import { extensionRoutes, routesOf } from "../../../src/contract/operations.ts";
import { limitToRole, ROLES, type Role } from "../../../src/contract/people.ts";
import { SCOPES } from "../../../src/contract/scopes.ts";
import { createService, type Service } from "../../../src/service.ts";
import { createTools } from "../../../src/service/mcp/tools.ts";
import { clientOf } from "../open-service.ts";
import { toolCall } from "../mcp/connect.ts";
import { inviteAs, type InvitedUser } from "./signed-in-as.ts";

// The permissions of each role, repeated from the table in src/contract/people.ts.
const OWNERS_ALONE = /^(?:audit|requests|users|keys|webhooks|deliveries|events|signInLinks)\.|^domains\.(?!list)/;
const READS =
  /\.(?:list|get|raw|export|diff|summary|page|visits|heatmap|scrollDepth|analytics)$|^(?:account|openapi|oauth)\./;

function mayDo(role: Role, operation: string): boolean {
  if (OWNERS_ALONE.test(operation)) return role === "owner";
  return role !== "viewer" || READS.test(operation);
}

/** The section of the dashboard for the records of an operation. */
const SECTIONS: Readonly<Record<string, string>> = {
  ...{ pages: "/pages", sites: "/sites", releases: "/releases", assets: "/library", blogs: "/blogs", posts: "/blogs" },
  ...{ previewLinks: "/blogs", brandKits: "/brand-kits", analytics: "/analytics", forms: "/forms" },
  ...{ submissions: "/forms", domains: "/domains", users: "/people", signInLinks: "/people", keys: "/keys" },
  ...{ webhooks: "/webhooks", deliveries: "/webhooks", events: "/webhooks", audit: "/audit", requests: "/requests" },
  account: "/settings",
};

/** The dashboard page for the same operation, and its HTTP method. */
function pageOf(operation: string, method: string): readonly ["get" | "post", string] {
  if (operation === "forms.export") return ["get", "/forms/none/submissions.csv"];
  if (operation === "pages.analytics") return ["get", "/analytics/none"];
  const section = SECTIONS[operation.split(".")[0] ?? ""] ?? "";
  return method === "GET" ? ["get", section] : ["post", `${section}/none/none`];
}

const ROWS = (["a", "b"] as const).flatMap((routeSet) =>
  [...routesOf(routeSet), ...extensionRoutes()]
    .filter(({ scope }) => scope !== undefined)
    .map((route) => ({ ...route, routeSet })),
);

let service: Service;
const users = new Map<Role, { readonly apiKey: string; readonly browser: InvitedUser }>();

beforeAll(async () => {
  service = createService({ ephemeral: true, dev: true });
  const send = clientOf(service, { routeSet: "a" });
  for (const role of ROLES) {
    const browser = await inviteAs(service, "owner", `${role}@example.org`);
    const made = await browser.post("/keys", { name: role, reach: "all", expiresAt: "" });
    const apiKey = /value="(imp_[^"]+)"/.exec(await made.text())?.[1] ?? "";
    await send("PATCH", `/api/users/${browser.id}`, { json: { role } });
    users.set(role, { apiKey, browser });
  }
  return () => service.close();
});

function userOf(role: Role) {
  const user = users.get(role);
  if (user === undefined) throw new Error(`There is no ${role}.`);
  return user;
}

describe.each(ROLES)("the permissions of a user with role %s apply", (role) => {
  it("to the API, with a key that has all scopes", async () => {
    const { apiKey } = userOf(role);
    for (const { routeSet, method, path, operation } of ROWS) {
      const filled = path.replaceAll(/:[A-Za-z]+/g, "none");
      const json = method === "GET" || method === "DELETE" ? {} : { json: {} };
      const { status, body } = await clientOf(service, { routeSet })(method, filled, { apiKey, ...json });
      const isRefused = status === 403 && body.code === "insufficient_scope";
      expect([operation, isRefused, status === 401]).toEqual([operation, !mayDo(role, operation), false]);
    }
  });

  it("to every MCP tool", async () => {
    const { apiKey } = userOf(role);
    for (const { name, operation } of createTools()) {
      const headers = { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" };
      const accept = { Accept: "application/json, text/event-stream" };
      const body = JSON.stringify(toolCall(name));
      const request = new Request(`${service.url}/mcp`, { method: "POST", body, headers: { ...headers, ...accept } });
      const { status } = await service.fetch(request);
      expect([name, status]).toEqual([name, mayDo(role, operation) ? 200 : 403]);
    }
  });

  it("to the dashboard's sections", async () => {
    const { browser } = userOf(role);
    for (const { operation, method } of ROWS) {
      const [verb, path] = pageOf(operation, method);
      const { status } = await browser[verb](path);
      // A user with access to the section gets a 404 for what doesn't exist.
      expect([operation, path, status === 403]).toEqual([operation, path, !mayDo(role, operation)]);
    }
  });

  it("to every spelling of an address", async () => {
    const { browser } = userOf(role);
    const sections = ["keys", "people", "webhooks", "audit", "requests"];
    for (const section of sections) {
      const spellings = [`%${section.charCodeAt(0).toString(16)}${section.slice(1)}`, `/${section}`, `${section}/`];
      for (const spelling of [
        ...spellings,
        `${section}%2f`,
        `.%2f${section}`,
        `pages/..%2f${section}`,
        `${section};x`,
      ]) {
        const answer = await browser.get(`/${spelling}`);
        const html = await answer.text();
        const isShown = answer.status === 200 && html.includes(`href="/${section}" aria-current`);
        expect([spelling, isShown && role !== "owner"]).toEqual([spelling, false]);
      }
    }
  });
});

it("each role has the scopes of the role below it, and every scope has a role", () => {
  const [owner, editor, viewer] = ROLES.map((role) => limitToRole(SCOPES, role) ?? []);
  expect(owner).toEqual(SCOPES);
  expect(viewer?.filter((scope) => editor?.includes(scope) !== true)).toEqual([]);
  expect(viewer?.filter((scope) => scope.endsWith(":write"))).toEqual([]);
});
