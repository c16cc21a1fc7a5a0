import { readFileSync } from "node:fs";
import { join } from "node:path";
import { extractBrand } from "../../../src/brand/extract.ts";

const SHEETS = 5;
const HOME = "https://site.example/";

/** Extracts a kit and a frame from six pages with 5 MB of CSS: copies of Bootstrap with different names. */
export async function measureLargeCss(): Promise<{ readonly megabytes: number; readonly cpuMs: number }> {
  const file = join(import.meta.dirname, "../../../node_modules/bootstrap/dist/css/bootstrap.css");
  const bootstrap = readFileSync(file, "utf8");
  const perSheet = Math.ceil(5_000_000 / SHEETS / bootstrap.length);
  const sheets = Array.from({ length: SHEETS }, (_, sheet) =>
    Array.from({ length: perSheet }, (_, copy) =>
      sheet + copy === 0 ? bootstrap : bootstrap.replaceAll(/\.([a-z])/g, `.x${sheet}-${copy}-$1`),
    ).join("\n"),
  );
  const pages = ["", "a/", "b/", "c/", "d/", "e/"].map((path) => HOME + path);
  const started = process.cpuUsage();
  const { frame } = await extractBrand({
    home: HOME,
    pages,
    frame: { linkTo: (address) => address, fileAt: (address) => address },
    async read(address) {
      const sheet = /s(\d)\.css$/.exec(address)?.[1];
      if (sheet !== undefined) return { content: sheets[Number(sheet)] ?? "", contentType: "text/css" };
      return { content: renderPage(address), contentType: "text/html" };
    },
  });
  if (frame === null) throw new Error("No frame was found, so its time wasn't measured.");
  const { user, system } = process.cpuUsage(started);
  return { megabytes: sheets.join("").length / 1e6, cpuMs: (user + system) / 1000 };
}

function renderPage(address: string): string {
  const links = sheetLinks();
  return `<!doctype html><title>${address}</title>${links}<body>
<header class="navbar bg-dark"><a class="navbar-brand" href="/">Site</a><nav><a class="nav-link" href="/a/">A</a></nav></header>
<main class="container"><h1>${address}</h1><p>Text that is long enough to be read by <a href="/b/">anybody</a>.</p>
<a class="btn btn-primary" href="/c/">Buy</a></main><footer class="bg-light"><p>Footer</p></footer>`;
}

function sheetLinks(): string {
  return Array.from({ length: SHEETS }, (_, sheet) => `<link rel="stylesheet" href="/s${sheet}.css">`).join("");
}
