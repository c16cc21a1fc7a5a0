import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { styleText } from "node:util";
import { ImprintError } from "../../base/error.ts";
import { EXPLAINED_ROLES, explainBrand } from "../../brand/explain.ts";
import { COLOR_ROLES, FONT_ROLES, type LogoFinding, type SchemeName } from "../../brand/findings.ts";
import { kitRole, LEAST_CONFIDENCE, pinnedColors, toBrandKit, type PinnedBrand } from "../../brand/kit.ts";
import { EXPORT_FORMATS, renderKit } from "../../brand/render/formats.ts";
import { renderSheetSvg } from "../../brand/render/sheet-svg.ts";
import { renderSheet } from "../../brand/render/sheet.ts";
import type { CliContext } from "../context.ts";
import type { CommandResult, CommandRun } from "../define-commands.ts";
import { writeOutput } from "../output-file.ts";
import { parseProjectOptions, readProject } from "../project.ts";
import type { Paint } from "../../sync/report/render-text.ts";
import { findBrand, type FoundBrand } from "../../sync/brand/desired-brand.ts";
import { pinnedBrand, readPinnedLogos, type PinnedLogoFile } from "../../sync/brand/pinned-logos.ts";

interface BrandFlags {
  readonly json?: boolean;
  readonly svg?: boolean;
  readonly format?: string;
  readonly out?: string;
}

type BrandRun = CommandRun<BrandFlags>;

/** `imprint brand extract`: the kit, with swatches if the terminal shows colors. */
export async function extract({ args: [place], context, paint }: BrandRun): Promise<CommandResult> {
  const found = named(await find(place, context));
  return { json: { ...found.findings, pinned: found.pinned }, text: renderFindings(found, paint) };
}

export async function explain({ args: [role, place], context }: BrandRun): Promise<CommandResult> {
  // Both schemes are explained, also with the name that a role has in the kit.
  const known = EXPLAINED_ROLES.find((each) => each === role?.replace(/^(?:light|dark)-/, ""));
  if (known === undefined) {
    throw new ImprintError("USAGE", `"${role}" isn't a role of a brand kit. Roles are ${EXPLAINED_ROLES.join(", ")}.`);
  }
  const { findings, pinned } = named(await find(place, context));
  return { document: `${explainBrand(findings, known, pinned).join("\n")}\n` };
}

export { exportBrand as export };

async function exportBrand({ args: [place], flags, context }: BrandRun): Promise<CommandResult> {
  const { format = "css", out } = flags;
  const chosen = (Object.keys(EXPORT_FORMATS) as (keyof typeof EXPORT_FORMATS)[]).find((each) => each === format);
  if (chosen === undefined) throw new ImprintError("USAGE", `"${format}" is not a format of a brand kit.`);
  const { findings, pinned } = await find(place, context);
  const text = renderKit(toBrandKit(findings, { pinned }), chosen);
  return { document: out === undefined ? text : await writeNamed(out, text, context) };
}

export async function sheet({ args: [place], flags, context }: BrandRun): Promise<CommandResult> {
  const { svg, out = "brand-sheet.html" } = flags;
  const found = await find(place, context);
  const { pinned } = found;
  const kit = toBrandKit(found.findings, { pinned, logoUrl: logoAddress });
  const options = { files: await readFiles(kit, found) };
  const file = svg === true ? out.replace(/\.html$/, ".svg") : out;
  const text = svg === true ? renderSheetSvg(kit, options) : renderSheet(kit, options);
  return { document: await writeNamed(file, text, context) };
}

interface Found extends FoundBrand {
  /** What the project's options pin. */
  readonly pinned: PinnedBrand;
  readonly pinnedLogos: readonly PinnedLogoFile[];
}

/** The start of an address without its scheme: `localhost:4321`, `example.com`. */
const HOST = /^(?:localhost|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,})(?::\d+)?(?:\/|$)/i;

// Pins belong to the project, so another folder or address is shown without them.
async function find(place: string | undefined, { cwd }: CliContext): Promise<Found> {
  if (place !== undefined) {
    if (HOST.test(place) && !existsSync(resolve(cwd, place))) {
      throw new ImprintError("USAGE", `${place} isn't a folder.`, {
        hint: "For the address of a site, begin with https:// or http://.",
      });
    }
    const found = await findBrand(/^https?:\/\//.test(place) ? place : resolve(cwd, place));
    return { ...found, pinned: {}, pinnedLogos: [] };
  }
  const project = await readProject(cwd);
  const options = parseProjectOptions(project);
  const pinnedLogos = await readPinnedLogos(project.root, options);
  const pinned = pinnedBrand(options, pinnedLogos, ({ path }) => path);
  return { ...(await findBrand(project.dist)), pinned, pinnedLogos };
}

/** The findings with names for readers: files of a folder by their paths. */
function named({ findings, pinned, nameOf }: Found): Shown {
  const { home, pages, fonts, logos, problems } = findings;
  const fontOf = (role: (typeof FONT_ROLES)[number]) => {
    const font = fonts[role];
    return font && { ...font, address: font.address && nameOf(font.address) };
  };
  return {
    findings: {
      ...findings,
      home: nameOf(home),
      pages: pages.map(nameOf),
      fonts: { heading: fontOf("heading"), body: fontOf("body"), mono: fontOf("mono") },
      logos: logos.map(({ source, ...logo }) => ({
        ...logo,
        source: source.kind === "svg" ? source : { ...source, address: nameOf(source.address) },
      })),
      problems: problems.map(({ subject, message }) => ({ subject: nameOf(subject), message })),
    },
    pinned,
  };
}

async function writeNamed(file: string, text: string, context: CliContext): Promise<string> {
  await writeOutput(file, text, context);
  return `${file} written\n`;
}

// An inline logo has no address; this one only serves as its key among the files.
function logoAddress({ kind, source }: LogoFinding): string {
  return source.kind === "address" ? source.address : `${kind}.svg`;
}

async function readFiles(kit: ReturnType<typeof toBrandKit>, { read, findings, pinnedLogos }: Found) {
  const addresses = [...(kit.logos ?? []), ...(kit.fonts ?? [])].flatMap(({ url }) => url ?? []);
  const files = new Map<string, { readonly bytes: Uint8Array; readonly contentType: string }>();
  for (const logo of findings.logos) {
    if (logo.source.kind === "address") continue;
    files.set(logoAddress(logo), { bytes: Buffer.from(logo.source.text), contentType: "image/svg+xml" });
  }
  for (const { path, bytes, contentType } of pinnedLogos) files.set(path, { bytes, contentType });
  for (const address of new Set(addresses.filter((each) => /^https?:/.test(each)))) {
    const answer = await read(address);
    if (answer === undefined) continue;
    const { content, contentType } = answer;
    files.set(address, { bytes: typeof content === "string" ? Buffer.from(content) : content, contentType });
  }
  return files;
}

type Shown = Pick<Found, "findings" | "pinned">;

/** Renders what was found and what the options pin, with swatches if the terminal shows colors. */
function renderFindings(shown: Shown, paint: Paint): string {
  const { findings } = shown;
  const parts = [
    [paint("strong", findings.name ?? findings.home)],
    ...(["light", "dark"] as const).map((scheme) => colorLines(scheme, shown, paint)),
    fontLines(shown, paint),
    logoLines(shown, paint),
    findings.problems.map(({ subject, message }) => `  ${paint("warn", "!")} ${subject}: ${message}`),
  ];
  const shownParts = parts.filter((lines) => lines.length > 0);
  return shownParts.map((lines) => `${lines.join("\n")}\n`).join("\n");
}

function colorLines(scheme: SchemeName, { findings, pinned }: Shown, paint: Paint): readonly string[] {
  const isColored = paint("strong", "x") !== "x";
  const pins = pinnedColors(findings, pinned);
  const rows = COLOR_ROLES.flatMap((role) => {
    const pin = pins[kitRole(role, scheme, findings)];
    const color = findings.colors[scheme]?.[role] ?? undefined;
    const hex = pin ?? color?.hex;
    if (hex === undefined) return [];
    const { confidence = 0 } = color ?? {};
    const doubt = confidence < LEAST_CONFIDENCE ? ", too uncertain for the kit" : "";
    const sure = pin === undefined ? `${Math.round(confidence * 100)}% sure${doubt}` : "pinned";
    return [`    ${isColored ? `${swatch(hex)} ` : ""}${role.padEnd(11)} ${hex}  ${paint("dim", sure)}`];
  });
  return rows.length === 0 ? [] : [`  ${scheme}`, ...rows];
}

function fontLines({ findings, pinned }: Shown, paint: Paint): readonly string[] {
  const rows = FONT_ROLES.flatMap((role) => {
    const pin = pinned.fonts?.[role];
    const font = findings.fonts[role] ?? undefined;
    const family = pin ?? font?.family;
    const source = pin === undefined ? (font?.source ?? "") : "pinned";
    return family === undefined ? [] : [`    ${role.padEnd(11)} ${family}  ${paint("dim", source)}`];
  });
  return rows.length === 0 ? [] : ["  fonts", ...rows];
}

function logoLines({ findings, pinned }: Shown, paint: Paint): readonly string[] {
  const found = findings.logos.filter(({ kind }) => pinned.logos?.[kind] === undefined);
  const places = [
    ...Object.entries(pinned.logos ?? {}).map(
      ([kind, { url }]) => [kind, `${url}  ${paint("dim", "pinned")}`] as const,
    ),
    ...found.map(
      ({ kind, source: own }) => [kind, own.kind === "address" ? own.address : "inline in the page"] as const,
    ),
  ];
  const rows = places.map(([kind, place]) => `    ${kind.padEnd(12)} ${place}`);
  return rows.length === 0 ? [] : ["  logos", ...rows];
}

function swatch(hex: string): string {
  const [red, green, blue] = [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16));
  return styleText("reset", `\u001b[48;2;${red};${green};${blue}m  \u001b[49m`, { validateStream: false });
}
