import { expect, it, test } from "vitest";
import { openProject } from "./embedded-project.ts";

async function refusalOf(argv: readonly string[], files: Readonly<Record<string, string>>) {
  const { site, run } = await openProject();
  for (const [name, text] of Object.entries(files)) await site.write(name, text);
  const { code, out } = await run(...argv, "--json");
  return { code, ...JSON.parse(out).error };
}

const WRONG = { "imprint.config.mjs": "export default { posts: true };" };
const COMMANDS = [[], ["plan"], ["publish"], ["posts", "plan"], ["pages", "list"]];

test.each(COMMANDS.map((argv) => [argv]))("imprint %j names the config file of an invalid option", async (argv) => {
  expect(await refusalOf(argv, WRONG)).toMatchObject({
    code: "OPTIONS_INVALID",
    location: { file: "imprint.config.mjs" },
    message: "`posts` must be false, or an object such as {}.",
  });
});

it.each(['"x"', "null", "[]", "() => ({})"])("accepts only an object as the default export, not %s", async (text) => {
  expect(await refusalOf(["plan"], { "imprint.config.mjs": `export default ${text};` })).toMatchObject({
    code: "OPTIONS_INVALID",
    location: { file: "imprint.config.mjs" },
    message: "The default export must be an object with options.",
  });
});

it("accepts only an object as the options in the Astro config", async () => {
  const { site, run } = await openProject();
  await site.remove("imprint.config.mjs");
  const integration = '{ name: "imprint", [Symbol.for("astro-imprint.options")]: "x" }';
  await site.write("astro.config.mjs", `export default { integrations: [${integration}] };`);
  const { error } = JSON.parse((await run("plan", "--json")).out);
  expect(error).toMatchObject({ code: "OPTIONS_INVALID", location: { file: "astro.config.mjs" } });
});

it("names no file for an invalid flag", async () => {
  const refusal = await refusalOf(["plan", "--pages-url", "x"], {});
  expect(refusal).toMatchObject({ code: "OPTIONS_INVALID", message: expect.stringContaining("`pagesUrl` must") });
  expect(refusal.location).toBeUndefined();
});

it("names the file in text, too", async () => {
  const { site, run } = await openProject();
  await site.write("imprint.config.mjs", "export default { adopt: 'yes' };");
  expect((await run("plan")).error).toContain("imprint.config.mjs\n  `adopt` must be true or false.");
  expect((await run("doctor")).out).toContain("imprint.config.mjs: `adopt` must be true or false.");
});
