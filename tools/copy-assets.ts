import { cpSync, globSync } from "node:fs";
import { fileURLToPath } from "node:url";

// The compiler copies neither the migrations nor what the dashboard's pages load; both are read next to the code.
const root = fileURLToPath(new URL("..", import.meta.url));

for (const path of globSync(["**/*.sql", "service/app-pages/assets/*"], { cwd: `${root}/src` })) {
  cpSync(`${root}/src/${path}`, `${root}/dist/${path}`);
}
