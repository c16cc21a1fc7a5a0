import { describe, expect, it } from "vitest";
import { releaseClientOf } from "../releases/publisher.ts";
import { openRunningService, visit } from "../open-service.ts";
import { signIn } from "./signed-in.ts";

const html = (text: string) => `<!doctype html><title>${text}</title><p>${text}`;

describe("the dashboard's releases", () => {
  it("show who published what, and can be rolled back after a confirmation", async () => {
    const service = await openRunningService();
    const { publish } = releaseClientOf(service);
    const first = String((await publish({ index: html("one"), about: html("about") })).body["id"]);
    const second = String((await publish({ index: html("two") }, { parent: first, removes: ["about"] })).body["id"]);
    const { get, post } = await signIn(service);
    const list = await (await get("/releases")).text();
    expect(list).toContain(`href="/releases/${first}"`);
    expect(list).toContain("live");
    const shown = await (await get(`/releases/${second}`)).text();
    expect(shown).toMatch(/index[^]*changed/);
    expect(shown).toMatch(/about[^]*removed/);
    expect(shown).not.toContain("/rollback");
    expect(await (await get(`/releases/${first}`)).text()).toContain(`/releases/${first}/rollback`);
    expect(await (await get(`/releases/${first}/rollback`)).text()).toContain("Roll back to this release?");
    const answer = await post(`/releases/${first}/rollback`);
    expect([answer.status, answer.headers.get("Location")]).toEqual([
      303,
      expect.stringContaining("notice=rolled-back"),
    ]);
    expect(await (await visit(service, "/p/index")).text()).toBe(html("one"));
  });

  it("can be found by publisher and state", async () => {
    const service = await openRunningService();
    const { publish } = releaseClientOf(service);
    const first = String((await publish({ index: html("one") })).body["id"]);
    const second = String((await publish({ index: html("two") }, { parent: first })).body["id"]);
    const { get } = await signIn(service);
    const listed = async (query: string) =>
      Array.from(
        (await (await get(`/releases${query}`)).text()).matchAll(/href="\/releases\/([^"]*)"/g),
        ([, id]) => id,
      );
    expect(await listed("?sort=oldest")).toEqual([first, second]);
    expect(await listed("?state=live")).toEqual([second]);
    expect(await listed("?state=open")).toEqual([]);
    expect(await listed(`?q=${first}`)).toEqual([first]);
    expect(await listed("?q=nobody")).toEqual([]);
  });
});
