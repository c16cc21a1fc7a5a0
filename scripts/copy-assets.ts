import { cpSync, globSync } from "node:fs";
import { fileURLToPath } from "node:url";

// The compiler copies no .sql files; the migrations are read next to the compiled store.
const root = fileURLToPath(new URL("..", import.meta.url));

for (const path of globSync("**/*.sql", { cwd: `${root}/src` })) {
  cpSync(`${root}/src/${path}`, `${root}/dist/${path}`);
}
