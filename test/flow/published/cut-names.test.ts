import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger, type Project } from "./project.ts";

const SHARED = "harbor-at-sunset-with-boats-in-november";
const NUMBERS = [1, 2, 3] as const;

/** A drawing that no other page shows. */
function drawing(number: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${number} 9"><path d="M0 0h${number}v9z"/></svg>`;
}

async function addDrawing({ write }: Project, number: number): Promise<void> {
  const name = `${SHARED}-${number}.svg`;
  await write(`dist/img/${name}`, drawing(number));
  await write(`dist/view-${number}/index.html`, htmlPage(`View ${number}`, `<img src="/img/${name}" alt="">`));
}

/** Hash of the picture that readers of a page see. */
async function shownOn(page: string): Promise<string> {
  const html = await (await fetch(page)).text();
  const [, address = ""] = /<img src="([^"]+)" alt="">/.exec(html) ?? [];
  return hashOf(Buffer.from(await (await fetch(new URL(address, page))).arrayBuffer()));
}

function hashOf(bytes: Buffer | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

it.each([
  dialectA("A", { library: { names: "40 characters" }, pages: { tells: "public-url" } }),
  dialectB("B", { library: { names: "40 characters" }, pages: { putBody: "multipart" } }),
])("$name, which cuts names and replaces files, shows each picture where it belongs", async (dialect) => {
  const project = await openAtStranger(dialect, { brandKit: false, images: { optimize: false } });
  await addDrawing(project, 1);
  await addDrawing(project, 2);
  expect(await project.run("publish", "--accept")).toMatchObject({ code: 0 });
  // Its picture replaces one that an earlier run uploaded.
  await addDrawing(project, 3);
  expect(await project.run("publish", "--accept")).toMatchObject({ code: 0 });
  const { pages } = project.stranger.world.addresses;
  for (const number of NUMBERS) expect(await shownOn(`${pages}/p/view-${number}`)).toBe(hashOf(drawing(number)));
  expect(await project.run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
});
