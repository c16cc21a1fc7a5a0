import { expect, it, onTestFinished } from "vitest";
import { startProxy, type Meddled } from "../../faults/proxy.ts";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { API_KEY, startStranger } from "../../strangers/host.ts";
import { openProject } from "./project.ts";

const LOSSES = {
  "drops the connection": ({ answer }: Meddled) => void answer.socket?.destroy(),
  "answers 504": ({ answer }: Meddled) => void answer.writeHead(504, { "content-type": "text/html" }).end(),
} as const;

it.each([
  { dialect: dialectA("A"), loss: "drops the connection", isStored: true },
  { dialect: dialectB("B"), loss: "answers 504", isStored: true },
  { dialect: dialectA("A lists late", { library: { listedAfterMs: 600 } }), loss: "answers 504", isStored: true },
  { dialect: dialectB("B"), loss: "drops the connection", isStored: false },
] as const)("an upload whose response is lost is stored once: $dialect.name $loss, stored: $isStored", async (lost) => {
  const { dialect, loss, isStored } = lost;
  const stranger = await startStranger(dialect);
  onTestFinished(() => stranger.close());
  const proxy = await startProxy(stranger.baseUrl);
  onTestFinished(() => proxy.close());
  const { run } = await openProject({ baseUrl: proxy.url, apiKey: API_KEY }, { posts: false });
  let uploads = 0;
  proxy.meddle((exchange) => {
    const { method, path, forward } = exchange;
    if (method !== "POST" || !/^\/api\/(?:library|assets)/.test(path)) return undefined;
    uploads += 1;
    if (uploads > 3) return undefined;
    return (isStored ? forward() : Promise.resolve()).then(() => LOSSES[loss](exchange));
  });
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("pages 3 published") });
  const hashes = [...stranger.world.assets.values()].map(({ sha256 }) => sha256);
  expect(hashes.toSorted()).toEqual([...new Set(hashes)].toSorted());
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed at") });
});
