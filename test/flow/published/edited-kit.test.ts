import { expect, it } from "vitest";
import { dialectA } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { addressOf, openAtService, openAtStranger, send, type Project } from "./project.ts";

const EDITED = "it was edited at the service after imprint published it";
const RED = [{ role: "primary", hex: "#b3003c" }];
const home = (color: string) => htmlPage("Halden Press", "<h1>Halden Press</h1>").replace("#7a1f2b", color);

async function changeColors({ write }: Project, color: string) {
  await write("dist/index.html", home(color));
  await write("dist/_astro/site.css", `:root{--color-brand:${color}}body{font-family:Georgia,serif}`);
}

it("a brand kit that somebody edited at a host stays until it is taken over", async () => {
  const { stranger, ...project } = await openAtStranger(dialectA("A"), { posts: false });
  const { run } = project;
  const { brandKits } = stranger.world;
  const colors = () => JSON.stringify([...brandKits.values()].map(({ fields }) => fields["colors"]));
  await run("publish");
  await changeColors(project, "#1f7a2b");
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("primary #7a1f2b → #1f7a2b") });
  stranger.byHand.editBrandKit([...brandKits.keys()][0] ?? "", { colors: RED });
  await changeColors(project, "#1f2b7a");
  for (let times = 0; times < 2; times += 1) {
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining(EDITED) });
    expect(colors()).toBe(JSON.stringify([RED]));
  }
  expect(await run("publish", "--adopt")).toMatchObject({ code: 0 });
  expect(colors()).toContain("#1f2b7a");
  await changeColors(project, "#7a1f2b");
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("brand kits 1 updated") });
});

it.each([false, true])("a brand kit that somebody edited at our own service stays, strict: %s", async (strict) => {
  const { service, ...project } = await openAtService("a", { posts: false, service: { strict } });
  const { run } = project;
  const at = addressOf(service, "a");
  await run("publish", "--accept");
  const { data } = (await send(at, ["GET", "/api/brand-kits"])) as { data: readonly { id: string; name: string }[] };
  const [{ id, name } = { id: "", name: "" }] = data;
  await changeColors(project, "#1f7a2b");
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("brand kits 1 updated") });
  await send(at, ["PUT", `/api/brand-kits/${id}`], JSON.stringify({ name, colors: RED }));
  await changeColors(project, "#1f2b7a");
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining(EDITED) });
});
