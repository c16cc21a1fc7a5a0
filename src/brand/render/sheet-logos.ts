import { escapeMarkup, titleOf } from "./markup.ts";
import type { SheetInput, SheetLogo } from "./sheet-input.ts";

interface Ground {
  readonly name: string;
  readonly color: string;
  readonly ink: string;
}

/** Every logo on every ground that it can meet: light, dark and the primary color. */
export function renderLogos({ logos, schemes, name }: SheetInput): string {
  const grounds = groundsOf(schemes);
  return `<div class="logos" style="--grounds:${grounds.length}">${logos
    .flatMap((logo) => grounds.map((ground) => renderLogo(logo, ground, name)))
    .join("")}</div>`;
}

function groundsOf(schemes: SheetInput["schemes"]): readonly Ground[] {
  const light = schemes.find(({ scheme }) => scheme === "light")?.colorOf("background") ?? "#ffffff";
  const dark = schemes.find(({ scheme }) => scheme === "dark")?.colorOf("background") ?? "#141414";
  const [usual] = schemes;
  const hasPrimary = usual?.colors.some(({ role }) => role === "primary") ?? false;
  return [
    { name: "on light", color: light, ink: "#161616" },
    { name: "on dark", color: dark, ink: "#f4f4f4" },
    ...(usual === undefined || !hasPrimary
      ? []
      : [{ name: "on primary", color: usual.colorOf("primary"), ink: usual.colorOf("on-primary") }]),
  ];
}

function renderLogo({ kind, dataAddress, url, width, height }: SheetLogo, ground: Ground, name: string): string {
  const size = width === undefined || height === undefined ? "" : ` · ${width} × ${height}`;
  const picture =
    dataAddress === undefined
      ? `<span class="missing">The file is not at hand<br><span class="hex">${escapeMarkup(url)}</span></span>`
      : `<img src="${escapeMarkup(dataAddress)}" alt="${escapeMarkup(`${name}, ${kind}`)}">`;
  const isSmall = kind === "icon" || kind === "touch-icon";
  return `<figure${isSmall ? ' class="small"' : ""} style="--ground:${ground.color};--ink:${ground.ink}">${picture}
<figcaption>${escapeMarkup(titleOf(kind))} ${ground.name}${size}</figcaption></figure>`;
}
