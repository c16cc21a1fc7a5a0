// Tests the exports of a brand kit with the tools that read them: Style Dictionary 4 and 5, Terrazzo (which validates
// every value of the Design Tokens format), Tailwind CSS 4. They are installed in a temporary folder, since together
// they are 200 packages that nothing else needs. `node tools/brand-exports.ts` needs access to the registry.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renderKit, type ExportFormat } from "../src/brand/render/formats.ts";
import type { BrandKitBody } from "../src/contract/operations/content.ts";
import { KIT } from "../test/brand/render/example-kit.ts";

const PACKAGES = [
  "sd4@npm:style-dictionary@4.4.0",
  "sd5@npm:style-dictionary@5",
  "@terrazzo/cli@2",
  "@tailwindcss/cli@4",
  "tailwindcss@4",
];

const WHOLE: BrandKitBody = {
  ...KIT,
  design: {
    surfaces: [{ part: "header", scheme: "light", background: "#0d4658", text: "#ffffff" }],
    button: { radius: 6, borderWidth: 0, paddingBlock: 10, paddingInline: 20 },
    card: { radius: 12, borderWidth: 1, paddingBlock: 24, paddingInline: 24, shadow: "0 2px 8px rgba(0,0,0,.1)" },
    textWidth: 680,
    textSize: 18,
    headingSizes: [48, 30],
  },
};

const folder = mkdtempSync(join(tmpdir(), "brand-exports-"));
try {
  write("package.json", JSON.stringify({ private: true, type: "module" }));
  execFileSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...PACKAGES], { cwd: folder });
  const results = [
    ...["sd4", "sd5"].map((tool) => ({ tool, ...checkStyleDictionary(tool) })),
    ...(["dtcg", "dtcg-resolver"] as const).map((format) => ({ tool: "terrazzo", ...checkTokens(format) })),
    { tool: "tailwindcss", ...checkTailwind() },
  ];
  for (const { tool, format, missing } of results) {
    console.log(
      `${tool.padEnd(12)} ${format.padEnd(17)} ${missing.length === 0 ? "ok" : `misses ${missing.join(", ")}`}`,
    );
  }
  if (results.some(({ missing }) => missing.length > 0)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

interface Checked {
  readonly format: ExportFormat;
  /** What is missing from the tool's output. */
  readonly missing: readonly string[];
}

function checkStyleDictionary(tool: string): Checked {
  write("tokens.json", renderKit(WHOLE, "style-dictionary"));
  const files = [{ destination: `${tool}.css`, format: "css/variables" }];
  const platforms = { css: { transformGroup: "css", buildPath: "./", files } };
  write("config.json", JSON.stringify({ source: ["tokens.json"], platforms }));
  run(`node_modules/${tool}/bin/style-dictionary.js`, ["build", "--config", "config.json"]);
  const css = readFileSync(join(folder, `${tool}.css`), "utf8");
  const wanted = [
    "--color-light-primary: #0d4658;",
    "--color-dark-background: #0c171d;",
    "--font-body-family: 'Inter Tight', system-ui, sans-serif;",
    "--radius-button: 6px;",
    "--shadow-card: 0px 2px 8px 0px #0000001a;",
  ];
  const objects = css.split("\n").filter((line) => line.includes("[object"));
  return { format: "style-dictionary", missing: [...missingIn(css, wanted), ...objects] };
}

/** Terrazzo fails if a token doesn't conform to the format. */
function checkTokens(format: "dtcg" | "dtcg-resolver"): Checked {
  write("tokens.json", renderKit(WHOLE, format));
  const said = run("node_modules/@terrazzo/cli/bin/cli.js", ["check", "tokens.json"]);
  return { format, missing: missingIn(said, ["No errors"]) };
}

function checkTailwind(): Checked {
  write("in.css", `@import "tailwindcss" source(none);\n@source "page.html";\n${renderKit(WHOLE, "tailwind")}`);
  write(
    "page.html",
    '<p class="bg-primary text-on-primary font-heading rounded-button max-w-text shadow-card text-h1">',
  );
  run("node_modules/@tailwindcss/cli/dist/index.mjs", ["-i", "in.css", "-o", "out.css"]);
  const css = readFileSync(join(folder, "out.css"), "utf8");
  const classes = [
    ".bg-primary",
    ".text-on-primary",
    ".font-heading",
    ".rounded-button",
    ".max-w-text",
    ".shadow-card",
  ];
  const dark = "--color-background: #0c171d;";
  return { format: "tailwind", missing: missingIn(css, [...classes, ".text-h1", "prefers-color-scheme: dark", dark]) };
}

function missingIn(text: string, wanted: readonly string[]): readonly string[] {
  return wanted.filter((part) => !text.includes(part));
}

function run(program: string, parameters: readonly string[]): string {
  return execFileSync(process.execPath, [program, ...parameters], { cwd: folder, encoding: "utf8" });
}

function write(file: string, text: string): void {
  writeFileSync(join(folder, file), text);
}
