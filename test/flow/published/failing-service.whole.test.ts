import { expect, it, onTestFinished } from "vitest";
import { startProxy } from "../../faults/proxy.ts";
import { dialectA } from "../../strangers/dialect.ts";
import { API_KEY, startStranger } from "../../strangers/host.ts";
import { openProject } from "./project.ts";

it("stops if a service fails on every write, and publishes everything in a later run", async () => {
  const stranger = await startStranger(dialectA("A"));
  const proxy = await startProxy(stranger.baseUrl);
  onTestFinished(() => Promise.all([stranger.close(), proxy.close()]).then(() => undefined));
  const project = await openProject({ baseUrl: proxy.url, apiKey: API_KEY }, { posts: false });
  let writes = 0;
  proxy.meddle(({ method, answer }) => {
    if (method === "GET" || method === "HEAD") return undefined;
    writes += 1;
    return Promise.resolve(void answer.writeHead(500, { "content-type": "application/json" }).end("{}"));
  });
  const { code, said } = await project.run("publish");
  expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("The service fails on every write") });
  expect(said).toContain("Nothing else was sent");
  expect(writes).toBeLessThan(20);
  proxy.meddle(() => undefined);
  expect(await project.run("publish")).toMatchObject({ code: 0 });
  expect([...stranger.world.pages.keys()]).toEqual(expect.arrayContaining(["index", "about"]));
  expect(stranger.world.sites.size).toBe(1);
});
