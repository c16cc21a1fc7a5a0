import { expect, it, onTestFinished } from "vitest";
import type { StartOptions } from "../../../src/service.ts";
import { passOn, startProxy, type Meddled } from "../../faults/proxy.ts";
import { openRunningService } from "../../service/open-service.ts";
import { htmlPage } from "../temporary-site.ts";
import { addressOf, openProject, send, statusOf } from "./project.ts";

async function open(service: StartOptions = {}) {
  const running = await openRunningService(service);
  const address = addressOf(running, "a");
  const proxy = await startProxy(address.baseUrl);
  onTestFinished(() => proxy.close());
  const project = await openProject(
    { ...address, baseUrl: proxy.url },
    { brandKit: false, prune: true, maxDeleteShare: 0.5 },
  );
  const operations = () => running.requests().map(({ operation }) => operation);
  return { ...project, address, proxy, operations, pageUrl: (slug: string) => `${running.pagesUrl}/p/${slug}` };
}

it("uploads a file larger than a bundle on its own, in the same release", async () => {
  const { write, run, operations, pageUrl } = await open({ limits: { maxBundleBytes: 1_000_000 } });
  await write("dist/tour.mp4", Buffer.alloc(1_200_000, 7));
  await write("dist/about/index.html", htmlPage("About", '<video src="/tour.mp4" controls></video>'));
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("pages 3 published") });
  const [, film = ""] = /<video src="([^"]+)"/.exec(await (await fetch(pageUrl("about"))).text()) ?? [];
  expect((await (await fetch(film)).arrayBuffer()).byteLength).toBe(1_200_000);
  const made = operations();
  expect(made.filter((operation) => operation === "releases.open")).toHaveLength(1);
  expect(made.filter((operation) => operation === "assets.upload")).toHaveLength(1);
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed at") });
});

const isPublish = ({ path }: Meddled) => path.endsWith("/publish");

it("sends nothing again that arrived before a run was interrupted", async () => {
  const { run, proxy, operations, pageUrl } = await open();
  proxy.meddle((exchange) => (isPublish(exchange) ? Promise.resolve(exchange.shut()) : undefined));
  expect(await run("publish")).toMatchObject({ code: 1 });
  const before = operations().length;
  proxy.meddle(() => undefined);
  await proxy.open();
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("pages 3 published") });
  expect(operations().slice(before)).not.toContain("releases.putContent");
  expect(await statusOf(pageUrl("about"))).toBe(200);
});

it("succeeds once the release is published, even if the service then goes down", async () => {
  const { run, proxy, pageUrl } = await open();
  proxy.meddle((exchange) => {
    if (!isPublish(exchange)) return undefined;
    return exchange.forward().then((answer) => {
      exchange.answer.once("close", exchange.shut);
      passOn(exchange.answer, answer);
    });
  });
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("pages 3 published") });
  expect(await statusOf(pageUrl("about"))).toBe(200);
  await proxy.open();
  proxy.meddle(() => undefined);
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed at") });
});

it("keeps a page that someone edits while the first release of a site removes it", async () => {
  const { run, remove, proxy, address, pageUrl } = await open();
  const isOpening = ({ method, path }: Meddled) => method === "POST" && path === "/api/releases";
  proxy.meddle((exchange) =>
    isOpening(exchange) ? Promise.resolve(void exchange.answer.writeHead(403).end()) : undefined,
  );
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("pages 3 published") });
  await remove("dist/about");
  proxy.meddle((exchange) => {
    if (!isOpening(exchange)) return undefined;
    proxy.meddle(() => undefined);
    const edited = JSON.stringify({ title: "About", html: htmlPage("About", "<h1>By hand</h1>") });
    return send(address, ["PUT", "/api/pages/about"], edited).then(async () => {
      const { status, headers, bytes } = await exchange.forward();
      exchange.answer.writeHead(status, headers).end(bytes);
    });
  });
  expect((await run("publish")).said).toContain("about");
  expect(await (await fetch(pageUrl("about"))).text()).toContain("By hand");
});

const isSmall = ({ path }: Meddled) => path === "/api/releases/publish";

async function openPublished() {
  const project = await open();
  expect(await project.run("publish")).toMatchObject({ code: 0 });
  const before = project.operations().length;
  const written = () =>
    project
      .operations()
      .slice(before)
      .filter((operation) => /^releases\.(?!list)/.test(operation ?? ""));
  return { ...project, written };
}

async function changeAndRemove({ write, remove }: Pick<Awaited<ReturnType<typeof open>>, "write" | "remove">) {
  await write("dist/index.html", htmlPage("Home", "<h1>Changed</h1>"));
  await remove("dist/about");
}

it("publishes a few changed and removed pages in one request", async () => {
  const { run, written, pageUrl, ...project } = await openPublished();
  await changeAndRemove(project);
  const { code, said } = await run("publish");
  expect([code, said]).toEqual([0, expect.stringMatching(/pages 2 updated · 1 deleted[^]*roll back/)]);
  expect(written()).toEqual(["releases.publishSmall"]);
  expect(await (await fetch(pageUrl("index"))).text()).toContain("Changed");
  expect(await statusOf(pageUrl("about"))).toBe(410);
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed at") });
});

it("publishes in steps if a proxy doesn't let the request through", async () => {
  const { run, written, proxy, pageUrl, ...project } = await openPublished();
  await changeAndRemove(project);
  proxy.meddle((exchange) =>
    isSmall(exchange) ? Promise.resolve(void exchange.answer.writeHead(413).end()) : undefined,
  );
  expect(await run("publish")).toMatchObject({ code: 0 });
  expect(written()).toEqual(expect.arrayContaining(["releases.open", "releases.putPages", "releases.publish"]));
  expect(await (await fetch(pageUrl("index"))).text()).toContain("Changed");
});

it("succeeds, with one release, if the answer to the only request is lost", async () => {
  const { run, written, proxy, pageUrl, ...project } = await openPublished();
  await changeAndRemove(project);
  let lost = 0;
  proxy.meddle((exchange) => {
    if (!isSmall(exchange) || lost > 0) return undefined;
    lost += 1;
    return exchange.forward().then(() => void exchange.answer.destroy());
  });
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("pages 2 updated · 1 deleted") });
  expect(lost).toBe(1);
  expect(written()).toEqual(["releases.publishSmall", "releases.publishSmall"]);
  expect(await (await fetch(pageUrl("index"))).text()).toContain("Changed");
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed at") });
});
