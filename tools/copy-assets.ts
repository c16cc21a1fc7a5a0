import { cpSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { minifySync } from "rolldown/utils";

// The compiler copies neither the migrations nor what browsers load; all are read next to the code.
const root = fileURLToPath(new URL("..", import.meta.url));

for (const path of globSync(["**/*.sql", "service/app-pages/assets/*"], { cwd: `${root}/src` })) {
  cpSync(`${root}/src/${path}`, `${root}/dist/${path}`);
}

// These stand in published pages, where every byte is a reader's.
for (const shim of ["site/rewrite/route-shim.js", "site/rewrite/search-shim.js"]) {
  const { code } = minifySync(shim, readFileSync(`${root}/src/${shim}`, "utf8"), { module: false });
  writeFileSync(`${root}/dist/${shim}`, code);
}
