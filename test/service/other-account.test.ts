import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type OperationName, extensionRoutes, routesOf } from "../../src/contract/operations.ts";
import { createService } from "../../src/service.ts";
import { issueKey } from "../../src/service/resources/keys.ts";
import { createRandomBytes } from "../../src/service/resources/context.ts";
import { insertRow } from "../../src/service/store/rows.ts";
import { openStore } from "../../src/service/store/open-store.ts";
import { clientOf, fileForm, type SendOptions } from "./open-service.ts";
import { makeOldDatabase, readTables } from "./store/old-database.ts";

const OWN_KEY = "the stranger's own key";
const NOW = new Date(Date.UTC(2026, 2, 5));

type World = Awaited<ReturnType<typeof openWorld>>;

/** A service in which one account owns everything, and the key of another account that has nothing. */
async function openAsStranger(): Promise<World> {
  const world = await openWorld();
  onTestFinished(() => world.close());
  return world;
}

async function openWorld() {
  const folder = await mkdtemp(join(tmpdir(), "imprint-test-"));
  const dataDir = join(folder, "data");
  const path = join(dataDir, "service.sqlite");
  const rows = await makeOldDatabase(path, 3);
  const store = await openStore({ dataDir, now: NOW });
  await store.database.insertInto("account").values({ id: "acc_2", name: "Other", createdAt: NOW }).execute();
  const key = issueKey({ accountId: "acc_2", name: OWN_KEY, scopes: null, now: NOW, random: createRandomBytes() });
  await insertRow(store.database, "apiKey", key.record);
  await store.close();
  const database = new DatabaseSync(path);
  database.exec(
    "insert into domain select 'dm_1', id, 'www.example.org', 'st_1', null, 'token', 'active', null, 0, 1, null, null, null, null, null, 1, 1 from account where id = 'acc_1'",
  );
  database.exec(
    "insert into release (id, account_id, line, state, whole, revision, pages, removes, kept, created_at, expires_at) select 'rel_1', id, ' ', 'open', 0, 0, 0, 0, '[]', 1, 9000000000000 from account where id = 'acc_1'",
  );
  database.close();
  const service = createService({ dataDir, now: () => NOW, background: false });
  return {
    service,
    apiKey: key.text,
    async close() {
      await service.close();
      await rm(folder, { recursive: true });
    },
    /** Describes what is missing or changed of what the owner had. */
    lostRows: () => {
      const now = readTables(path, rows);
      return Object.entries(rows).flatMap(([table, before]) =>
        before.filter((row) => !now[table]?.some((each) => isDeepStrictEqual(each, row))).map(() => table),
      );
    },
  };
}

// Ids and names of the owner's records, by the operation that takes them.
const TARGETS: Partial<Record<OperationName, readonly string[]>> = {
  "pages.get": ["index"],
  "pages.put": ["index"],
  "pages.patch": ["index"],
  "pages.edit": ["index"],
  "pages.delete": ["index"],
  "pages.raw": ["draft"],
  "sites.get": ["st_1"],
  "sites.put": ["st_1"],
  "sites.patch": ["st_1"],
  "sites.delete": ["st_1"],
  "assets.patch": ["as_1"],
  "assets.delete": ["as_1"],
  "posts.list": ["bl_1"],
  "posts.create": ["bl_1"],
  "posts.patch": ["bl_1", "first"],
  "posts.delete": ["bl_1", "first"],
  "previewLinks.create": ["bl_1", "first"],
  "previewLinks.delete": ["bl_1", "first"],
  "analytics.page": ["pg_1"],
  "submissions.list": ["fm_1"],
  "submissions.delete": ["index", "sb_1"],
  "submissions.patch": ["sb_1"],
  "domains.patch": ["www.example.org"],
  "domains.delete": ["dm_1"],
  "brandKits.get": ["bk_1"],
  "brandKits.put": ["bk_1"],
  "brandKits.delete": ["bk_1"],
  "keys.delete": ["key_1"],
  "users.get": ["usr_1"],
  "users.patch": ["usr_1"],
  "users.delete": ["usr_1"],
  "pages.analytics": ["one"],
  "users.invite": ["usr_1"],
  "webhooks.get": ["wh_1"],
  "webhooks.patch": ["wh_1"],
  "webhooks.delete": ["wh_1"],
  "webhooks.test": ["wh_1"],
  "deliveries.list": ["wh_1"],
  "deliveries.retry": ["msg_1"],
  "releases.get": ["rel_1"],
  "releases.putPages": ["rel_1"],
  "releases.putContent": ["rel_1"],
  "releases.publish": ["rel_1"],
  "releases.diff": ["rel_1"],
  "releases.rollback": ["rel_1"],
};

const QUERIES: Partial<Record<OperationName, string>> = {
  "analytics.visits": "?page=pg_1",
  "analytics.heatmap": "?pageId=pg_1",
  "analytics.scrollDepth": "?pageId=pg_1",
};

const BODIES: Partial<Record<OperationName, SendOptions>> = {
  "pages.put": { json: { html: "<p>mine" } },
  "pages.patch": { json: { title: "Mine" } },
  "pages.edit": { json: { edits: [{ find: "p", replace: "q" }] } },
  "sites.put": { json: { name: "Mine" } },
  "sites.patch": { json: { name: "Mine" } },
  "assets.patch": { json: { alt: "mine" } },
  "posts.create": { json: { slug: "first", title: "Mine", html: "<p>mine" } },
  "posts.patch": { json: { title: "Mine" } },
  "previewLinks.create": { json: {} },
  "forms.export": { json: { formId: "fm_1" } },
  "domains.patch": { json: { siteId: null } },
  "brandKits.put": { json: { name: "Mine" } },
  "submissions.patch": { json: { read: true } },
  "users.patch": { json: { name: "Mine" } },
  "webhooks.patch": { json: { enabled: false } },
  "releases.putPages": { json: { pages: [] } },
  "releases.putContent": { body: new Uint8Array(1024), headers: { "Content-Type": "application/x-tar" } },
  "releases.publish": { json: {} },
  "releases.rollback": { json: {} },
};

// Slugs are unique per account: another account's page with the same name is its own.
const MAKES_OWN: readonly OperationName[] = ["pages.put"];

// Operations that name no existing record, or create one.
const NAMES_NOTHING: readonly OperationName[] = [
  ...([
    "pages.create",
    "sites.create",
    "assets.upload",
    "assets.uploadImages",
    "assets.import",
    "blogs.create",
  ] as const),
  ...(["domains.create", "brandKits.create", "brandKits.extract", "keys.create", "signInLinks.create"] as const),
  ...(["releases.open", "releases.publishSmall"] as const),
  "users.create",
  ...(["webhooks.create", "account.get", "openapi.get", "oauth.authorize", "oauth.token"] as const),
];

function isOneOf(names: readonly OperationName[], name: string): boolean {
  return names.some((each) => each === name);
}

const ROWS = (["a", "b"] as const).flatMap((routeSet) =>
  [...routesOf(routeSet), ...extensionRoutes()]
    .filter(({ operation }) => !isOneOf(NAMES_NOTHING, operation))
    .map((route) => ({ routeSet, ...route })),
);

describe("records of another account", () => {
  // No request changes the records, which each test checks.
  let unchanged: World;
  beforeAll(async () => {
    unchanged = await openWorld();
  });
  afterAll(() => unchanged.close());

  it.each(ROWS)("don't exist for $routeSet $method $path", async ({ routeSet, method, path, operation, answers }) => {
    const name = operation as OperationName;
    const { service, apiKey, lostRows } = isOneOf(MAKES_OWN, name) ? await openAsStranger() : unchanged;
    const targets = [...(TARGETS[name] ?? [])];
    const filled = path.replaceAll(/:[A-Za-z]+/g, (part) => targets.shift() ?? part);
    const send = clientOf(service, { routeSet });
    const {
      status,
      items: listed,
      body,
    } = await send(method, `${filled}${QUERIES[name] ?? ""}`, { apiKey, ...BODIES[name] });
    const items = listed.filter((item) => item["name"] !== OWN_KEY);
    if (isOneOf(MAKES_OWN, name)) expect(status).toBe(201);
    else if (filled === path && answers[200]?.kind === "list") expect([status, items]).toEqual([200, []]);
    else if (name === "analytics.summary") expect([status, items]).toEqual([200, []]);
    else expect([status, String(body["code"])]).toEqual([404, expect.stringMatching(/_not_found$/)]);
    expect(lostRows()).toEqual([]);
  });

  it.each([
    ["PUT /api/pages/mine", { json: { html: "<p>", siteId: "st_1" } }],
    ["POST /api/sites", { json: { name: "Mine", brandKitId: "bk_1" } }],
    ["POST /api/blogs", { json: { name: "Mine", siteId: "st_1" } }],
    ["POST /api/custom-domains", { json: { domain: "mine.example.org", siteId: "st_1" } }],
  ] as const)("can't be referenced in the body of %s", async (request, options) => {
    const { service, apiKey } = await openAsStranger();
    const [method = "", path = ""] = request.split(" ");
    const { status } = await clientOf(service, { routeSet: "a" })(method, path, { ...options, apiKey });
    expect([404, 422]).toContain(status);
  });

  it("aren't revealed by creating records with the same name or content", async () => {
    const { service, apiKey } = await openAsStranger();
    const send = clientOf(service, { routeSet: "a" });
    const asStranger = (method: string, path: string, options: SendOptions) =>
      send(method, path, { ...options, apiKey });
    expect((await asStranger("POST", "/api/blogs", { json: { name: "Mine", slug: "blog" } })).status).toBe(201);
    expect((await asStranger("POST", "/api/sites", { json: { name: "Mine", slug: "site" } })).status).toBe(201);
    const { body } = await asStranger("GET", "/api/library?hash=" + "0".repeat(64), {});
    expect(body["data"]).toEqual([]);
    const own = await send("POST", "/api/library", { form: fileForm(["a.txt", "the same bytes"]) });
    const other = await asStranger("POST", "/api/library", { form: fileForm(["a.txt", "the same bytes"]) });
    expect([own.status, other.status]).toEqual([201, 201]);
    expect(other.body["id"]).not.toBe(own.body["id"]);
  });

  it("are covered for every route", () => {
    const covered = ROWS.filter(({ path, operation }) => path.includes(":") && !(operation in TARGETS));
    expect(covered.map(({ operation }) => operation)).toEqual([]);
  });
});
