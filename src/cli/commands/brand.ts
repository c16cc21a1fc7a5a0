import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { styleText } from "node:util";
import { ImprintError } from "../../base/error.ts";
import { EXPLAINED_ROLES, explainBrand } from "../../brand/explain.ts";
import type { BrandFindings } from "../../brand/findings.ts";
import { toBrandKit } from "../../brand/kit.ts";
import { EXPORT_FORMATS, renderKit } from "../../brand/render/export.ts";
import { renderSheetSvg } from "../../brand/render/sheet-svg.ts";
import { renderSheet } from "../../brand/render/sheet.ts";
import { stacksOf } from "../../brand/tokens.ts";
import { findBrand } from "../../flow/find-brand.ts";
import type { FoundBrand } from "../../flow/find-brand.ts";
import type { CliContext, ExitCode } from "../context.ts";
import { readProject } from "../project.ts";
import { paintFor } from "../terminal.ts";

export interface BrandFlags {
  readonly json?: boolean;
  readonly svg?: boolean;
  readonly format?: string;
  readonly out?: string;
}

/** `imprint brand extract`: the kit with swatches where the terminal shows colors. */
export async function extractCommand(
  place: string | undefined,
  flags: BrandFlags,
  context: CliContext,
): Promise<ExitCode> {
  const { findings } = await find(place, context);
  context.out.write(
    flags.json === true ? `${JSON.stringify(findings, undefined, 2)}\n` : renderFindings(findings, context),
  );
  return 0;
}

/** `imprint brand explain <role>` */
export async function explainCommand(role: string, place: string | undefined, context: CliContext): Promise<ExitCode> {
  const known = EXPLAINED_ROLES.find((each) => each === role);
  if (known === undefined) {
    throw new ImprintError("USAGE", `"${role}" can't be explained. Known are: ${EXPLAINED_ROLES.join(", ")}.`);
  }
  const { findings } = await find(place, context);
  context.out.write(`${explainBrand(findings, known).join("\n")}\n`);
  return 0;
}

/** `imprint brand export` */
export async function exportBrandCommand(
  place: string | undefined,
  { format = "css", out }: BrandFlags,
  context: CliContext,
): Promise<ExitCode> {
  const chosen = (Object.keys(EXPORT_FORMATS) as (keyof typeof EXPORT_FORMATS)[]).find((each) => each === format);
  if (chosen === undefined) throw new ImprintError("USAGE", `"${format}" is not a format of a brand kit.`);
  const { findings } = await find(place, context);
  const text = renderKit(toBrandKit(findings), chosen, { stacks: stacksOf(findings) });
  if (out === undefined) context.out.write(text);
  else await writeNamed(out, { text, context });
  return 0;
}

/** `imprint brand sheet` */
export async function sheetCommand(
  place: string | undefined,
  { svg, out = "brand-sheet.html" }: BrandFlags,
  context: CliContext,
): Promise<ExitCode> {
  const found = await find(place, context);
  const kit = toBrandKit(found.findings, { logoUrl: (logo) => logoAddress(logo.source) });
  const options = { files: await readFiles(kit, found), stacks: stacksOf(found.findings) };
  const file = svg === true ? out.replace(/\.html$/, ".svg") : out;
  const text = svg === true ? renderSheetSvg(kit, options) : renderSheet(kit, options);
  await writeNamed(file, { text, context });
  return 0;
}

async function find(place: string | undefined, { cwd }: CliContext): Promise<FoundBrand> {
  if (place !== undefined) return findBrand(/^https?:\/\//.test(place) ? place : resolve(cwd, place));
  const project = await readProject(cwd);
  return findBrand(project.dist);
}

async function writeNamed(
  file: string,
  { text, context }: { readonly text: string; readonly context: CliContext },
): Promise<void> {
  await writeFile(resolve(context.cwd, file), text);
  context.out.write(`${file} written\n`);
}

// A logo that stands in the page itself becomes an address that holds it.
function logoAddress(source: BrandFindings["logos"][number]["source"]): string | undefined {
  if (source.kind === "address") return source.address;
  const address = `data:image/svg+xml,${encodeURIComponent(source.text)}`;
  return address.length <= 2048 ? address : undefined;
}

async function readFiles(kit: ReturnType<typeof toBrandKit>, { read }: FoundBrand) {
  const addresses = [...(kit.logos ?? []), ...(kit.fonts ?? [])].flatMap(({ url }) => url ?? []);
  const files = new Map<string, { readonly bytes: Uint8Array; readonly contentType: string }>();
  for (const address of new Set(addresses.filter((each) => /^https?:/.test(each)))) {
    const answer = await read(address);
    if (answer === undefined) continue;
    const { content, contentType } = answer;
    files.set(address, {
      bytes: typeof content === "string" ? new TextEncoder().encode(content) : content,
      contentType,
    });
  }
  return files;
}

function renderFindings(findings: BrandFindings, { out, environment }: CliContext): string {
  const paint = paintFor(out, environment);
  const isColored = paint("strong", "x") !== "x";
  const lines = [paint("strong", findings.name ?? findings.home), ""];
  for (const scheme of ["light", "dark"] as const) {
    const colors = findings.colors[scheme];
    if (colors === null) continue;
    lines.push(`  ${scheme}`);
    for (const [role, color] of Object.entries(colors)) {
      if (color === null) continue;
      const sure = paint("dim", `${Math.round(color.confidence * 100)} % sure`);
      lines.push(`    ${isColored ? `${swatch(color.hex)} ` : ""}${role.padEnd(11)} ${color.hex}  ${sure}`);
    }
  }
  lines.push("", "  fonts");
  for (const [role, font] of Object.entries(findings.fonts)) {
    if (font !== null) lines.push(`    ${role.padEnd(11)} ${font.family}  ${paint("dim", font.source)}`);
  }
  lines.push("", "  logos");
  for (const { kind, source } of findings.logos) {
    lines.push(`    ${kind.padEnd(12)} ${source.kind === "address" ? source.address : "drawn in the page itself"}`);
  }
  for (const { subject, message } of findings.problems) lines.push(`  ${paint("warn", "!")} ${subject}: ${message}`);
  return `${lines.join("\n")}\n`;
}

function swatch(hex: string): string {
  const [red, green, blue] = [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16));
  return styleText("reset", `\u001b[48;2;${red};${green};${blue}m  \u001b[49m`, { validateStream: false });
}
