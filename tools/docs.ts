// Generates the reference pages of docs/ from the code's own tables. `--check` only compares them, for CI.
import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { renderCommandsPage } from "./docs/commands-page.ts";
import { renderErrorsPage } from "./docs/errors-page.ts";
import { renderMcpPage } from "./docs/mcp-page.ts";
import { renderOptionsPage } from "./docs/options-page.ts";
import { renderPostsNotYetPage } from "./docs/posts-not-yet-page.ts";

const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });
const pages = {
  "commands.md": renderCommandsPage(),
  "errors.md": renderErrorsPage(),
  "mcp.md": renderMcpPage(),
  "options.md": renderOptionsPage(),
  "posts-not-yet.md": renderPostsNotYetPage(),
};

for (const [name, text] of Object.entries(pages)) {
  const file = new URL(`../docs/${name}`, import.meta.url);
  const present = await readFile(file, "utf8").catch(() => "");
  if (present === text) continue;
  if (values.check) {
    console.error(`docs/${name} is out of date. Run: npm run docs`);
    process.exitCode = 1;
  } else {
    await writeFile(file, text);
    console.log(`docs/${name} written`);
  }
}
