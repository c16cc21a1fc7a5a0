import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { SILENT_LOGGER } from "../../../src/base/log.ts";
import { createRequestRecorder } from "../../../src/service/host/request-log.ts";
import { ensureAccount } from "../../../src/service/store/accounts.ts";
import { createService } from "../../../src/service.ts";
import { openStore } from "../../../src/service/store/open-store.ts";
import {
  forgetLoggedRequests,
  insertLoggedRequests,
  listLoggedRequests,
  type LoggedRequest,
} from "../../../src/service/store/requests.ts";
import { clientOf, visit } from "../open-service.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { slicesOf } from "../store/slices-of.ts";

const WINDOW = { limit: 100 };

const ANSWERED = {
  requestId: "req_1",
  at: 0,
  method: "GET",
  path: "/a/api/pages",
  routeSet: "a",
  operation: "pages.list",
  status: 200,
  ms: 1,
  warnings: [],
} as const;

/** The entries that a service has stored when it closes. */
async function recorded(use: (service: ReturnType<typeof createService>) => Promise<void>) {
  const dataDir = join(await temporaryFolder(), "data");
  const service = createService({ dataDir });
  await use(service);
  await service.close();
  const store = await openStore({ dataDir, now: new Date() });
  onTestFinished(() => store.close());
  const account = await store.database.selectFrom("account").select("id").executeTakeFirstOrThrow();
  return { dataDir, requests: await listLoggedRequests(store.database, account.id, { filter: {}, window: WINDOW }) };
}

describe("the request log", () => {
  it("discards entries that the database can't store, and reports how many", async () => {
    const store = await openStore({ dataDir: undefined, now: new Date() });
    onTestFinished(() => store.close());
    const { id: defaultAccountId } = await ensureAccount(store.database, { id: "acc_1", name: "Test" }, new Date());
    const errors: string[] = [];
    let count = 0;
    const recorder = createRequestRecorder({
      database: store.database,
      logger: { ...SILENT_LOGGER, error: (message) => void errors.push(message) },
      newId: () => `log_${count++}`,
      defaultAccountId,
      isBackground: false,
    });
    // A deleted account, which the table references.
    recorder.record({ ...ANSWERED, accountId: "acc_gone" });
    for (let tries = 0; tries < 10; tries++) await recorder.flush();
    recorder.record(ANSWERED);
    await recorder.flush();
    expect(errors.map((error) => error.split(":")[0])).toEqual([
      ...Array.from({ length: 4 }, () => "The request log could not be written"),
      "The request log lacks 1 request",
    ]);
    const { items } = await listLoggedRequests(store.database, defaultAccountId, { filter: {}, window: WINDOW });
    expect(items.map(({ path }) => path)).toEqual(["/a/api/pages"]);
  });

  it("records the operation, the key, and the response", async () => {
    let keyId = "";
    const { requests } = await recorded(async (service) => {
      const key = await service.createKey({ name: "ci" });
      keyId = key.id;
      const send = clientOf(service, { routeSet: "a" });
      await send("PUT", "/api/pages/one", {
        apiKey: key.apiKey,
        json: { html: "<p>1</p>", colour: "red" },
        headers: { "X-Request-Id": "run-1" },
      });
      await send("GET", "/api/pages/two?include=html", { apiKey: key.apiKey });
      await send("GET", "/api/pages", { apiKey: "imp_live_wrong0000000000000000" });
      await send("GET", "/api/nothing");
    });
    expect(requests.items.toReversed()).toMatchObject([
      {
        ...{ method: "PUT", path: "/a/api/pages/one", status: 201, routeSet: "a", operation: "pages.put", keyId },
        ...{ requestId: "run-1", problem: null },
        warnings: ['The body has an unknown field "colour", which is ignored.'],
      },
      { path: "/a/api/pages/two", status: 404, operation: "pages.get", keyId, problem: "page_not_found" },
      { status: 401, operation: "pages.list", keyId: null, problem: "invalid_token" },
      { path: "/a/api/nothing", status: 404, operation: null, problem: "no_such_route" },
    ]);
  });

  it("lists requests of the same moment in the order of arrival", async () => {
    const paths = Array.from({ length: 30 }, (_, index) => `/api/nothing-${index}`);
    const { requests } = await recorded(async (service) => {
      const send = clientOf(service, { routeSet: "a" });
      for (const path of paths) await send("GET", path);
    });
    expect(requests.items.map(({ path }) => path).toReversed()).toEqual(paths.map((path) => `/a${path}`));
  });

  it("excludes page views, health checks, and the home page", async () => {
    const { requests } = await recorded(async (service) => {
      await service.fetch(new Request(`${service.url}/healthz`));
      await service.fetch(new Request(service.url));
      await visit(service, "/p/one");
    });
    expect(requests.items).toEqual([]);
  });

  it("contains no key, query, form field, or token, whatever the address contains", async () => {
    const secret = "imp_live_S3cretS3cretS3cretS3_aaaaaa";
    const { dataDir } = await recorded(async (service) => {
      const send = clientOf(service, { routeSet: "a" });
      await send("GET", `/api/pages/${secret}?token=${secret}`, {
        apiKey: secret,
        headers: { "X-Request-Id": secret },
      });
      await send("PUT", "/api/pages/one", { json: { html: `<p>${secret}`, [secret]: 1 }, headers: { Cookie: secret } });
    });
    const database = new DatabaseSync(join(dataDir, "service.sqlite"), { readOnly: true });
    onTestFinished(() => database.close());
    const rows = JSON.stringify(database.prepare("select * from request_log").all());
    expect(rows).toContain("imp_live_…");
    expect(rows).not.toContain("S3cret");
  });
});

describe("the list of logged requests", () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));

  async function openWith(requests: readonly Partial<LoggedRequest>[]) {
    const store = await openStore({ dataDir: undefined, now: at(0) });
    onTestFinished(() => store.close());
    const { database } = store;
    for (const id of ["acc_1", "acc_2"]) {
      await database
        .insertInto("account")
        .values({ id, name: id, createdAt: new Date(0) })
        .execute();
    }
    await insertLoggedRequests(
      database,
      requests.map((request, index) => ({
        ...{ id: `log_${index}`, accountId: "acc_1", requestId: `req_${index}`, method: "GET", path: "/api/pages" },
        ...{
          routeSet: "a",
          operation: "pages.list",
          status: 200,
          ms: 1.5,
          keyId: "key_1",
          problem: null,
          warnings: [],
        },
        createdAt: at(index),
        ...request,
      })),
    );
    return {
      database,
      list: async (filter: Parameters<typeof listLoggedRequests>[2]["filter"], accountId = "acc_1") => {
        const { items } = await listLoggedRequests(database, accountId, { filter, window: WINDOW });
        return items.map(({ id }) => id);
      },
    };
  }

  it.each([
    [{}, ["log_3", "log_2", "log_1", "log_0"]],
    [{ outcome: "success" }, ["log_1", "log_0"]],
    [{ outcome: "problem" }, ["log_3", "log_2"]],
    [{ method: "PUT" }, ["log_1"]],
    [{ operation: "pages.put", outcome: "problem" }, []],
    [{ keyId: "key_2" }, ["log_2"]],
    [{ requestId: "req_3" }, ["log_3"]],
    [{ path: "a_b" }, ["log_1"]],
  ] as const)("supports %j", async (filter, ids) => {
    const { list } = await openWith([
      {},
      { method: "PUT", operation: "pages.put", path: "/api/pages/a_b", status: 201 },
      { status: 404, keyId: "key_2", path: "/api/pages/a-b" },
      { status: 0 },
      { accountId: "acc_2" },
    ]);
    expect(await list(filter)).toEqual(ids);
    expect(await list({}, "acc_2")).toEqual(["log_4"]);
  });

  it("continues from its cursor", async () => {
    const { database } = await openWith([{}, {}, {}]);
    const first = await listLoggedRequests(database, "acc_1", { filter: {}, window: { ...WINDOW, limit: 2 } });
    const rest = await listLoggedRequests(database, "acc_1", {
      filter: {},
      window: { ...WINDOW, limit: 2, after: first.next },
    });
    expect([first.items, rest.items].map((items) => items.map(({ id }) => id))).toEqual([
      ["log_2", "log_1"],
      ["log_0"],
    ]);
    expect(rest.next).toBeUndefined();
  });

  it("stores requests once if they are written again after an outage hid that they were stored", async () => {
    const { database, list } = await openWith([{}, {}]);
    const window = { filter: {}, window: WINDOW };
    const { items } = await listLoggedRequests(database, "acc_1", window);
    await insertLoggedRequests(database, [...items, ...items.map((item) => ({ ...item, id: `${item.id}_new` }))]);
    expect(await list({})).toEqual(["log_1_new", "log_1", "log_0_new", "log_0"]);
  });

  it("deletes old entries, and keeps only the newest of the rest", async () => {
    const { database, list } = await openWith([{}, {}, {}, {}]);
    await forgetLoggedRequests(slicesOf(database), { before: at(1), keep: 100 });
    expect(await list({})).toEqual(["log_3", "log_2", "log_1"]);
    await forgetLoggedRequests(slicesOf(database), { before: undefined, keep: 2 });
    expect(await list({})).toEqual(["log_3", "log_2"]);
  });
});
