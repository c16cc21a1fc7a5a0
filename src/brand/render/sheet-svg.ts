import type { BrandKitBody } from "../../contract/operations/content.ts";
import { contrastOf, gradeContrast, readableOn } from "../color/contrast.ts";
import { fontStack, headingWeight } from "../tokens.ts";
import {
  backgroundsOf,
  escapeMarkup,
  titleOf,
  readSheetInput,
  type SheetInput,
  type SheetOptions,
  type SheetScheme,
} from "./sheet-input.ts";

const WIDTH = 1200;
const MARGIN = 56;
const GAP = 16;
const COLUMNS = 4;
const SWATCH_WIDTH = (WIDTH - 2 * MARGIN - (COLUMNS - 1) * GAP) / COLUMNS;
const SWATCH_HEIGHT = 150;
const LABELS = "font-family='system-ui, sans-serif'";

/** A part of the image: its height and a function that draws it at a given top. */
interface Part {
  readonly height: number;
  readonly draw: (top: number) => string;
}

/** Renders the kit as one image: colors with their contrast, light and dark, fonts, and logos. It loads nothing. */
export function renderSheetSvg(kit: BrandKitBody, options: SheetOptions = {}): string {
  const input = readSheetInput(kit, options);
  const [usual] = input.schemes;
  const parts = [
    ...(usual === undefined ? [] : [coverPart(input, usual)]),
    ...input.schemes.filter(({ colors }) => colors.length > 0).map(colorsPart),
    ...(usual === undefined || input.fonts.length === 0 ? [] : [typePart(input, usual)]),
    ...(usual === undefined || !input.logos.some(({ dataAddress }) => dataAddress !== undefined)
      ? []
      : [logosPart(input)]),
  ];
  let top = 0;
  const drawn = parts.map(({ height, draw }) => {
    const text = draw(top);
    top += height;
    return text;
  });
  const label = escapeMarkup(`${input.name}: brand kit`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${top}" width="${WIDTH}" height="${top}" role="img" aria-label="${label}">
<title>${label}</title>
${drawn.join("\n")}
</svg>
`;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function rect(
  place: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  fill: string,
  more = "",
): string {
  return `<rect x="${place.x}" y="${place.y}" width="${place.width}" height="${place.height}" fill="${fill}" ${more}/>`;
}

function label({ x, y }: Point, text: string, more: string): string {
  return `<text x="${x}" y="${y}" ${LABELS} ${more}>${escapeMarkup(text)}</text>`;
}

function coverPart(input: SheetInput, { colorOf }: SheetScheme): Part {
  const heading = input.fonts.find(({ role }) => role === "heading");
  const family = heading === undefined ? "system-ui, sans-serif" : fontStack(heading);
  const primary = colorOf("primary");
  const ink = readableOn(primary);
  // Long names must fit on one line, because SVG doesn't wrap text.
  const size = Math.min(96, (WIDTH - 2 * MARGIN) / (0.56 * Math.max(1, input.name.length)));
  return {
    height: 280,
    draw: (top) =>
      `${rect({ x: 0, y: top, width: WIDTH, height: 280 }, primary)}
${label({ x: MARGIN, y: top + 64 }, "Brand kit", `font-size="15" fill="${ink}" font-weight="500"`)}
<text x="${MARGIN}" y="${top + 224}" font-family="${escapeMarkup(family)}" font-size="${size.toFixed(1)}" font-weight="${headingWeight(heading?.weights ?? [])}" fill="${ink}" letter-spacing="-1">${escapeMarkup(input.name)}</text>`,
  };
}

function colorsPart({ scheme, colors, colorOf }: SheetScheme): Part {
  const rows = Math.ceil(colors.length / COLUMNS);
  const height = 96 + rows * (SWATCH_HEIGHT + GAP) + 40;
  const background = colorOf("background");
  const ink = readableOn(background);
  return {
    height,
    draw: (top) =>
      [
        rect({ x: 0, y: top, width: WIDTH, height }, background),
        label(
          { x: MARGIN, y: top + 60 },
          `Color, ${scheme}`,
          `font-size="15" font-weight="500" fill="${ink}" opacity="0.7"`,
        ),
        ...colors.map((color, index) => {
          const x = MARGIN + (index % COLUMNS) * (SWATCH_WIDTH + GAP);
          const y = top + 88 + Math.floor(index / COLUMNS) * (SWATCH_HEIGHT + GAP);
          return drawSwatch({ x, y }, color, colorOf);
        }),
      ].join("\n"),
  };
}

function drawSwatch({ x, y }: Point, color: SheetScheme["colors"][number], colorOf: SheetScheme["colorOf"]): string {
  const { role, derivedFrom } = color;
  const hex = color.hex.slice(0, 7);
  const isDerived = derivedFrom !== undefined;
  const ground = isDerived && role.startsWith("on-") ? derivedFrom : "background";
  const contrast = contrastOf(hex, colorOf(ground));
  const words = role === ground ? "background" : `${contrast.toFixed(1)}:1 on ${ground}, ${gradeContrast(contrast)}`;
  const [on, ink] = [readableOn(hex), readableOn(colorOf("background"))];
  const stroke = isDerived ? `stroke-opacity="0.4" stroke-dasharray="4 4"` : `stroke-opacity="0.14"`;
  return [
    rect({ x, y, width: SWATCH_WIDTH, height: SWATCH_HEIGHT }, hex, `rx="14" stroke="${ink}" ${stroke}`),
    label({ x: x + 16, y: y + 32 }, titleOf(role), `font-size="16" font-weight="600" fill="${on}"`),
    label({ x: x + 16, y: y + SWATCH_HEIGHT - 38 }, isDerived ? `${hex} derived` : hex, `font-size="13" fill="${on}"`),
    label({ x: x + 16, y: y + SWATCH_HEIGHT - 18 }, words, `font-size="12" fill="${on}" opacity="0.85"`),
  ].join("");
}

function typePart({ fonts }: SheetInput, { colorOf }: SheetScheme): Part {
  const rowHeight = 190;
  const height = 96 + fonts.length * rowHeight;
  const ink = colorOf("text");
  return {
    height,
    draw: (top) =>
      [
        rect({ x: 0, y: top, width: WIDTH, height }, colorOf("background")),
        label({ x: MARGIN, y: top + 60 }, "Type", `font-size="15" font-weight="500" fill="${ink}" opacity="0.7"`),
        ...fonts.map((font, index) => {
          const y = top + 96 + index * rowHeight;
          const family = `font-family="${escapeMarkup(fontStack(font))}" fill="${font.role === "heading" ? colorOf("heading") : ink}"`;
          const weight = font.role === "heading" ? headingWeight(font.weights) : 400;
          return `<text x="${MARGIN}" y="${y + 112}" ${family} font-size="120" font-weight="${weight}">Aa</text>
${label({ x: 300, y: y + 34 }, `${titleOf(font.role)}  ${font.weights.join(" ")}`, `font-size="13" fill="${ink}" opacity="0.7"`)}
<text x="300" y="${y + 80}" ${family} font-size="40" font-weight="${weight}">${escapeMarkup(font.family)}</text>
<text x="300" y="${y + 122}" ${family} font-size="20">Sphinx of black quartz, judge my vow 0123456789</text>`;
        }),
      ].join("\n"),
  };
}

function logosPart({ logos, schemes }: SheetInput): Part {
  const shown = logos.flatMap(({ kind, dataAddress }) => (dataAddress === undefined ? [] : [{ kind, dataAddress }]));
  const rowHeight = 180;
  const height = 72 + shown.length * (rowHeight + GAP);
  const width = (WIDTH - 2 * MARGIN - GAP) / 2;
  return {
    height,
    draw: (top) =>
      [
        rect({ x: 0, y: top, width: WIDTH, height }, "#dededb"),
        ...shown.flatMap(({ kind, dataAddress }, row) =>
          backgroundsOf(schemes).map((ground, column) => {
            const x = MARGIN + column * (width + GAP);
            const y = top + 44 + row * (rowHeight + GAP);
            return `${rect({ x, y, width, height: rowHeight }, ground, 'rx="14"')}<image x="${x + width * 0.2}" y="${y + 36}" width="${width * 0.6}" height="${rowHeight - 84}" href="${escapeMarkup(dataAddress)}"/>
${label({ x: x + 16, y: y + rowHeight - 14 }, titleOf(kind), `font-size="12" fill="${readableOn(ground)}" opacity="0.8"`)}`;
          }),
        ),
      ].join("\n"),
  };
}
