import { describe, expect, it } from "vitest";
import {
  acceptLimits,
  findLockedTarget,
  lockState,
  parseLock,
  recallLock,
  renderLock,
  type Lock,
} from "../../src/sync/lock.ts";
import { EMPTY_STATE, type State } from "../../src/sync/state.ts";

const HASH = "0123456789abcdef".repeat(4);
const NAME = { service: "https://pages.example.org", account: undefined } as const;
const STATE: State = {
  ...EMPTY_STATE,
  project: "k3v9x2ab",
  siteId: "st_1",
  blogId: "bl_1",
  pages: { index: { id: "pg_1", hash: HASH, sent: HASH } },
};

function roundTrip(lock: Lock): Lock {
  return parseLock(renderLock(lock), "imprint.lock.json");
}

describe("the lock file", () => {
  it("of version 1 is read, and keeps its slugs and posts", () => {
    const text = '{"version":1,"slugs":{"/":"index"},"posts":{},"postPages":["/blog/ink/"]}';
    expect(parseLock(text, "imprint.lock.json")).toEqual({
      version: 2,
      slugs: { "/": "index" },
      posts: {},
      postPages: ["/blog/ink/"],
    });
  });

  it("of a newer version suggests an update, and one with a byte order mark is read", () => {
    expect(() => parseLock('{"version":99,"slugs":{}}', "imprint.lock.json")).toThrowError(
      expect.objectContaining({
        message: "imprint.lock.json was written by a newer astro-imprint.",
        hint: "Update astro-imprint.",
      }),
    );
    const text = `\uFEFF${renderLock({ version: 2, slugs: {} })}`;
    expect(parseLock(text, "imprint.lock.json")).toEqual({ version: 2, slugs: {} });
  });

  it("stores what is ours at a service, and provides it to a run without state", () => {
    const lock = roundTrip(lockState({ version: 2, slugs: {} }, NAME, STATE));
    expect(lock.project).toBe("k3v9x2ab");
    const recalled = recallLock(EMPTY_STATE, lock, findLockedTarget(lock, NAME));
    expect(recalled).toMatchObject({ project: "k3v9x2ab", siteId: "st_1", blogId: "bl_1" });
    expect(findLockedTarget(lock, NAME)?.pages["index"]).toEqual({
      id: "pg_1",
      hash: HASH.slice(0, 16),
      sent: HASH.slice(0, 16),
    });
  });

  it("drops unknown fields that a page of another version has", () => {
    const pages = '{"index":{"hash":"1","sent":"2","version":3},"about":{"hash":"3","sent":"4"}}';
    const text = `{"version":2,"slugs":{},"targets":{"x":{"service":"x","pages":${pages}}}}`;
    expect(parseLock(text, "imprint.lock.json").targets?.["x"]?.pages).toEqual({
      index: { hash: "1", sent: "2" },
      about: { hash: "3", sent: "4" },
    });
  });

  it("keeps two accounts on one service separate", () => {
    const lock = lockState({ version: 2, slugs: {} }, { ...NAME, account: "acct_1" }, STATE);
    expect(findLockedTarget(lock, { ...NAME, account: "acct_2" })).toBeUndefined();
  });

  it("stays unchanged if a run published nothing", () => {
    const lock: Lock = { version: 2, slugs: { "/": "index" } };
    expect(lockState(lock, NAME, { ...EMPTY_STATE, project: "freshone" })).toBe(lock);
  });

  it("keeps accepted warnings through later runs", () => {
    const accepted = acceptLimits(lockState({ version: 2, slugs: {} }, NAME, STATE), NAME, ["host pagesUrl"]);
    expect(findLockedTarget(roundTrip(lockState(accepted, NAME, STATE)), NAME)?.accepted).toEqual(["host pagesUrl"]);
  });

  it.each([
    ["<<<<<<< HEAD\n{}", /isn't a valid lock file/],
    ['{"version":2,"slugs":{"/":7}}', /slugs\./],
    ['{"version":2,"slugs":[]}', /slugs:/],
    [
      '{"version":2,"slugs":{},"targets":{"x":{"service":"x","pages":{"about":{"hash":"1","sent":2}}}}}',
      /pages\.about\.sent/,
    ],
    ['{"version":2,"slugs":{},"targets":{"x":{"service":"x","pages":{"about":{"hash":"1"}}}}}', /pages\.about\.sent/],
    ['{"version":2,"slugs":{},"project":"Not an id"}', /project: must be 4 to 32/],
  ])("that is damaged causes an error with the field: %s", (text, message) => {
    expect(() => parseLock(text, "imprint.lock.json")).toThrow(message);
  });
});
