import { expect, it, onTestFinished } from "vitest";
import { startProxy } from "../../faults/proxy.ts";
import { dialectA, dialectB, type Dialect } from "../../strangers/dialect.ts";
import { API_KEY } from "../../strangers/host.ts";
import { openAtStranger, openProject } from "./project.ts";

/** Opens a project with a host that rejects some writes, and records all writes. */
async function openRefusing(dialect: Dialect, refuse: (write: string) => readonly [number, object] | undefined) {
  const { stranger } = await openAtStranger(dialect);
  const proxy = await startProxy(stranger.baseUrl);
  onTestFinished(() => proxy.close());
  const writes: string[] = [];
  proxy.meddle(({ method, path, answer }) => {
    if (method === "GET") return undefined;
    writes.push(`${method} ${path}`);
    const [status, body] = refuse(`${method} ${path}`) ?? [];
    if (status === undefined) return undefined;
    answer.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    return Promise.resolve();
  });
  const project = await openProject({ baseUrl: proxy.url, apiKey: API_KEY }, { posts: false });
  const publish = async (...options: readonly string[]) => {
    writes.length = 0;
    return { ...(await project.run("publish", ...options)), writes: [...writes] };
  };
  return { ...project, publish, stranger };
}

it.each([dialectA("A"), dialectB("B")])(
  "route set $name: a brand kit that the host rejects for a missing field is sent once until it changes",
  async (dialect) => {
    const refusal = [422, { error: `The field "primaryColor" is required.` }] as const;
    const { publish, loseState, write } = await openRefusing(dialect, (sent) =>
      sent === "POST /api/brand-kits" ? refusal : undefined,
    );
    const kits = ({ writes }: { readonly writes: readonly string[] }) =>
      writes.filter((sent) => sent.includes("brand-kits"));
    const first = await publish();
    expect(first).toMatchObject({ code: 0, said: expect.stringContaining(`"primaryColor" is required`) });
    expect(kits(first)).toHaveLength(1);
    const nothing = { code: 0, writes: [], said: expect.stringContaining(`"primaryColor" is required`) };
    expect(await publish()).toMatchObject(nothing);
    await loseState();
    expect(await publish()).toMatchObject(nothing);
    expect(kits(await publish("--adopt"))).toHaveLength(1);
    await write("dist/_astro/site.css", ":root{--color-brand:#123456}body{font-family:Georgia,serif}");
    expect(kits(await publish())).toHaveLength(1);
  },
);

it("sends the request that attaches a kit once until --adopt if the host doesn't allow it", async () => {
  const { publish, loseState } = await openRefusing(dialectA("A"), (sent) =>
    sent.startsWith("PATCH /api/sites/") ? [405, { error: "Method not allowed." }] : undefined,
  );
  const attempts = ({ writes }: { readonly writes: readonly string[] }) =>
    writes.filter((sent) => sent.startsWith("PATCH /api/sites/"));
  expect(attempts(await publish())).toHaveLength(1);
  const nothing = { code: 0, writes: [], said: expect.stringContaining("doesn't allow PATCH /api/sites/:siteId") };
  expect(await publish()).toMatchObject(nothing);
  await loseState();
  expect(await publish()).toMatchObject(nothing);
  expect(attempts(await publish("--adopt"))).toHaveLength(1);
});

it.each([dialectA("A"), dialectB("B")])(
  "route set $name: a run with a read-only key stops at the first page and names the missing permission",
  async (dialect) => {
    const refusal = [403, { error: "This key is read-only." }] as const;
    const { publish, stranger } = await openRefusing(dialect, () => refusal);
    for (let runs = 0; runs < 2; runs += 1) {
      const { code, said, writes } = await publish();
      expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("(403). This key is read-only.") });
      expect(said).toContain("The service has refused every write of this run.");
      expect(said).toContain("In the service's dashboard, allow the key to write pages");
      expect(said).toContain("Nothing had been changed");
      expect(writes.filter((write) => write.includes("/api/pages"))).toHaveLength(1);
      expect(writes.filter((write) => write.includes("brand-kits"))).toEqual([]);
    }
    expect(stranger.world.pages.size).toBe(0);
  },
);

it("a key that can write only pages publishes all of them", async () => {
  const refusal = [403, { error: "Not allowed." }] as const;
  const { publish } = await openRefusing(dialectA("A"), (write) => (write.includes("pages") ? undefined : refusal));
  expect(await publish()).toMatchObject({ code: 0, said: expect.stringContaining("pages 3 published") });
});
