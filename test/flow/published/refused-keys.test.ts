import { expect, it, onTestFinished } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { startStranger } from "../../strangers/host.ts";
import { openAtStranger, openProject } from "./project.ts";

it.each([
  dialectA("A answers 404", { refusesKeys: "404" }),
  dialectB("B answers 404 with a page", { refusesKeys: "404", errors: "html" }),
  dialectB("B shows its sign-in page", { refusesKeys: "with its sign-in page" }),
  dialectA("A leads to its sign-in page", { refusesKeys: "by a redirect" }),
])("a key rejected without a message is reported with the address: $name", async (dialect) => {
  const stranger = await startStranger(dialect);
  onTestFinished(() => stranger.close());
  const { run } = await openProject(
    { baseUrl: stranger.baseUrl, apiKey: "sk_wrong_0123456789abcdef" },
    { posts: false },
  );
  const key = "The address may be correct, but the API key rejected";
  expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining(key) });
  const { said } = await run("doctor");
  expect(said).toContain("can't check whether it is accepted");
  expect(said).toContain(key);
});

it("a key rejected in a response with status 200 is reported", async () => {
  const stranger = await startStranger(dialectB("B answers 200", { errors: "ok-false" }));
  onTestFinished(() => stranger.close());
  const { run } = await openProject(
    { baseUrl: stranger.baseUrl, apiKey: "sk_wrong_0123456789abcdef" },
    { posts: false },
  );
  expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining("rejected the API key") });
});

it.each([dialectB("B", { errors: "ok-false", pages: { putUnknown: "404" } }), dialectA("A", { errors: "ok-false" })])(
  "a host that reports every error with 200 and `ok: false` gets the whole site: route set $name",
  async (dialect) => {
    const { stranger, run } = await openAtStranger(dialect, { posts: false });
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("pages 3 published") });
    expect([...stranger.world.pages.keys()].toSorted()).toEqual(["about", "index", "services-letterpress"]);
    stranger.byHand.deletePage("about");
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(stranger.world.pages.has("about")).toBe(true);
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed at") });
  },
);
