import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startProxy } from "../../faults/proxy.ts";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { API_KEY } from "../../strangers/host.ts";
import { openAtStranger, openProject, publishAndKill } from "./project.ts";

it.each([dialectA("A plain"), dialectB("B plain")])(
  "$name: a run killed before its first page leaves its project id in the lock file, which identifies its files in the next run",
  async (dialect) => {
    const { stranger } = await openAtStranger(dialect);
    const { assets, pages } = stranger.world;
    const proxy = await startProxy(stranger.baseUrl);
    onTestFinished(() => proxy.close());
    const project = await openProject({ baseUrl: proxy.url, apiKey: API_KEY });
    await publishAndKill(project.root, { proxy, write: 4, moment: "after" });
    expect([pages.size, assets.size]).toEqual([0, expect.any(Number)]);
    const sent = [...assets.values()].map(({ name }) => name);
    const lock: unknown = JSON.parse(await readFile(join(project.root, "imprint.lock.json"), "utf8"));
    expect(sent.map((name) => name.split(".").at(-3))).toEqual(sent.map(() => Reflect.get(Object(lock), "project")));

    await project.loseState();
    expect(await project.run("publish")).toMatchObject({ code: 0 });
    const names = [...assets.values()].map(({ name }) => name);
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  },
);
