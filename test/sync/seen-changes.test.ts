import { describe, expect, it } from "vitest";
import { connect, type ImprintApi } from "../../src/client.ts";
import { recallRecord } from "../../src/sync/counted-records.ts";
import { EMPTY_STATE, parseState, type State } from "../../src/sync/state.ts";
import { startHost } from "../client/host.ts";

const SITE = { id: "st_1", name: "Halden Press" };
const CHANGES = { count: 3, latest: "2026-03-01T12:00:00.000Z" };
const ACCOUNT = {
  id: "ac_1",
  name: "Halden",
  plan: "pro",
  routeSet: "a",
  pagesUrl: "https://pages.example",
  limits: {},
  usage: { pages: 0, sites: 1, assets: 0, blogs: 0, posts: 0, brandKits: 0 },
  changes: { sites: CHANGES },
  capabilities: { "posts.update": true, "posts.delete": true, "assets.types": "any" },
};
const STATE: State = {
  ...EMPTY_STATE,
  seenChanges: {
    account: "ac_1",
    pagesUrl: "https://pages.example",
    sites: { changes: { ...CHANGES, records: 1 }, record: SITE },
  },
};

async function connectTo(account: object): Promise<ImprintApi> {
  const { baseUrl } = await startHost(() => ({
    headers: { "content-type": "application/json" },
    body: JSON.stringify(account),
  }));
  return await connect({ baseUrl, apiKey: "test-key" });
}

describe("a stored record", () => {
  it("is used while the service reports the same change counters", async () => {
    const api = await connectTo(ACCOUNT);
    expect(recallRecord("sites", { api, state: STATE, id: "st_1" })).toEqual(SITE);
    await api.close();
  });

  it.each([
    ["something changed", { changes: { sites: { ...CHANGES, count: 4 } } }],
    ["the latest change is another one", { changes: { sites: { ...CHANGES, latest: "2026-03-02T12:00:00.000Z" } } }],
    ["there are more or fewer records", { usage: { ...ACCOUNT.usage, sites: 0 } }],
    ["the service doesn't count this kind", { changes: {} }],
    ["the service counts nothing", { changes: undefined }],
    ["it is another account", { id: "ac_2" }],
    ["pages have another address", { pagesUrl: "https://other.example" }],
  ])("is requested again if %s", async (_, account) => {
    const api = await connectTo({ ...ACCOUNT, ...account });
    expect(recallRecord("sites", { api, state: STATE, id: "st_1" })).toBeUndefined();
    await api.close();
  });

  it("is requested again if another one is needed, or nothing is stored", async () => {
    const api = await connectTo(ACCOUNT);
    expect(recallRecord("sites", { api, state: STATE, id: "st_2" })).toBeUndefined();
    expect(recallRecord("blogs", { api, state: STATE, id: undefined })).toBeUndefined();
    expect(recallRecord("sites", { api, state: EMPTY_STATE, id: "st_1" })).toBeUndefined();
    await api.close();
  });

  it("doesn't affect other stored data if it can't be read", () => {
    const damaged = { ...STATE, siteId: "st_1", seenChanges: { account: 7 } };
    expect(parseState(damaged)).toEqual({ ...EMPTY_STATE, siteId: "st_1" });
  });
});
