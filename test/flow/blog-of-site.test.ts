import { expect, it } from "vitest";
import { parseOptions, publish } from "../../src/publish.ts";
import { hostInProcess } from "./hosts.ts";
import { createTemporarySite } from "./temporary-site.ts";

it("assigns the blog to its site, so that it has the site's look even beside other sites", async () => {
  const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet: "a", strict: false })];
  await publish({
    projectRoot: site.root,
    dist: site.dist,
    options: parseOptions({ posts: {} }),
    target: { ...host, routeSet: "a", identity: host.baseUrl, close: async () => {} },
  });
  const list = async (path: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
    const answer = await fetch(host.baseUrl + path, { headers: { authorization: `Bearer ${host.apiKey}` } });
    return JSON.parse(await answer.text()).data;
  };
  const [own] = await list("/api/sites");
  expect(own?.["id"]).toBeTypeOf("string");
  expect(await list("/api/blogs")).toMatchObject([{ siteId: own?.["id"] }]);
});
