import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openProjectFiles } from "../../../src/posts/edit/project-files.ts";
import { createAstroProject, syncAstro } from "../astro-project.ts";
import { FIELD_SETTINGS } from "../folder.ts";

const SCHEMA = `z.object({
  title: z.string(),
  order: z.union([z.number(), z.string()]),
  level: z.union([z.enum(["easy", "hard"]), z.number()]),
  since: z.union([z.coerce.date(), z.number()]),
  toc: z.union([z.boolean(), z.enum(["left"])]).optional(),
  note: z.string().nullable(),
  rank: z.number().nullable().optional(),
})`;

const POST = `---
title: One
order: first
level: "easy"
since: 2024-01-31
note: x
---
Text
`;

it("fields that may have values of several types are edited as such, and Astro accepts what was written", async () => {
  const root = await createAstroProject(SCHEMA, { "one.md": POST });
  const files = await openProjectFiles({ ...FIELD_SETTINGS, root, folder: "src/content/blog" });
  const file = await files?.read("one.md");
  if (files === undefined || typeof file !== "object") throw new Error("The project has no such post.");
  expect(file.warning).toBeUndefined();
  expect(Object.fromEntries(file.fields.map(({ key, kind, choices }) => [key, [kind, ...choices]]))).toEqual({
    title: ["text"],
    order: ["text"],
    level: ["text", "easy", "hard"],
    since: ["text"],
    toc: ["text", "left"],
    note: ["text"],
    rank: ["number"],
  });

  const values = { level: "7", since: "2024", toc: "false", note: "new" };
  const saved = await files.save({ file: "one.md", version: file.version, text: file.text, fields: values });
  if (saved.kind !== "saved") throw new Error(JSON.stringify(saved));
  expect(await readFile(join(root, "src/content/blog/one.md"), "utf8")).toBe(`---
title: One
order: first
level: 7
since: 2024
note: new
toc: false
---
Text
`);
  await syncAstro(root);

  const again = { level: "hard", since: "2024-02-01T10:00:00Z", toc: "left" };
  const changed = await files.save({ file: "one.md", version: saved.version, text: file.text, fields: again });
  expect(changed.kind).toBe("saved");
  await syncAstro(root);

  const version = changed.kind === "saved" ? changed.version : "";
  const wrong = { level: "odd", since: "soon", toc: "right" };
  expect(await files.save({ file: "one.md", version, text: file.text, fields: wrong })).toEqual({
    kind: "refused",
    errors: {
      level: "must be a number, or one of: easy, hard",
      since: "must be a date such as 2024-01-31, or a number",
      toc: "must be true or false, or one of: left",
    },
  });
});
