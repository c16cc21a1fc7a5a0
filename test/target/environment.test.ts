import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readEnvironment } from "../../src/target/environment.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";

it("a .env file may begin with a byte order mark", async () => {
  const root = await temporaryFolder();
  await writeFile(join(root, ".env"), "\uFEFFIMPRINT_API_KEY=key_1\r\nIMPRINT_SERVICE=https://service.example\r\n");
  expect(await readEnvironment(root, {})).toMatchObject({
    IMPRINT_API_KEY: "key_1",
    IMPRINT_SERVICE: "https://service.example",
  });
});

it("line breaks and spaces around variables, as of pasted secrets in CI, don't count", async () => {
  const own = { IMPRINT_API_KEY: "key_1\n", IMPRINT_SERVICE: " https://service.example\n", IMPRINT_BRANCH: "main\r\n" };
  expect(await readEnvironment(await temporaryFolder(), own)).toMatchObject({
    IMPRINT_API_KEY: "key_1",
    IMPRINT_SERVICE: "https://service.example",
    IMPRINT_BRANCH: "main",
    IMPRINT_PREVIEW: undefined,
  });
});
