import { expect, it } from "vitest";
import { dialectA, dialectB, type Dialect } from "../../strangers/dialect.ts";
import { openAtStranger } from "./project.ts";

const STYLES = (color: string) =>
  `body{background:#fff;color:#222;font-family:Lora,serif}a{color:${color}}h1{color:${color}}`;

/** Publishes a site, lets a person fill in fields of its site and brand kit, and publishes a new name and color. */
async function publishOverFields(dialect: Dialect) {
  const options = { posts: false, site: { name: "Tern House" } };
  const { stranger, run, write, configure } = await openAtStranger(dialect, options);
  await write("dist/_astro/site.css", STYLES("#0d46ff"));
  expect(await run("publish")).toMatchObject({ code: 0 });
  const { sites, brandKits } = stranger.world;
  const theirs = { site: { domain: "terns.example", language: "de" }, kit: { guidelines: "never red" } };
  for (const [records, fields] of [[sites, theirs.site] as const, [brandKits, theirs.kit] as const]) {
    for (const [id, record] of records) records.set(id, { ...record, fields: { ...record.fields, ...fields } });
  }
  await write("dist/_astro/site.css", STYLES("#c0203a"));
  await configure({ ...options, site: { name: "Tern Palace" } });
  const ran = await run("publish");
  const [site] = [...sites.values()].map(({ fields }) => fields);
  const [kit] = [...brandKits.values()].map(({ fields }) => fields);
  return { ...ran, site, kit, theirs, run };
}

const SETS = [dialectA("A"), dialectB("B")];

it.each(SETS.flatMap((dialect) => (["replaces", "merges"] as const).map((puts) => ({ ...dialect, puts }))))(
  "what people set on a site and a brand kit at $name stays ($puts)",
  async (dialect) => {
    const { code, said, site, kit, theirs } = await publishOverFields(dialect);
    expect({ code, said }).toMatchObject({ code: 0 });
    expect(site).toMatchObject({ name: "Tern Palace", ...theirs.site });
    expect(kit).toMatchObject(theirs.kit);
    expect(said).not.toMatch(/domain|guidelines/);
  },
);

it.each(SETS.flatMap((dialect) => (["drops", "refuses"] as const).map((puts) => ({ ...dialect, puts }))))(
  "what people set on a site or brand kit at $name, and the host has cleared for good ($puts), is named once",
  async (dialect) => {
    const { code, said, run } = await publishOverFields(dialect);
    const cleared = dialect.routeSet === "a" ? "guidelines of the brand kit" : "domain, language of the site";
    expect({ code, said }).toMatchObject({ code: 0, said: expect.stringContaining(cleared) });
    if (dialect.puts === "refuses") expect(said).toContain("Unknown fields: ");
    const again = await run("publish");
    expect(again).toMatchObject({ code: 0, said: expect.not.stringContaining("cleared") });
  },
);
