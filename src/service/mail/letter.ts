import { escapeHtml } from "../http/html.ts";
import type { Letterhead } from "../look/letterhead.ts";

/** Content of a mail. */
export interface Letter {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** Fields of a form submission. */
  readonly fields?: readonly (readonly [name: string, value: string])[];
  readonly link: { readonly url: string; readonly text: string };
  /** Text after the link. */
  readonly after?: string;
}

export function renderText({ paragraphs, fields = [], link, after }: Letter): string {
  const lines = fields.map(([name, value]) => `${name}: ${value}`).join("\n");
  return `${[...paragraphs, lines, link.url, after ?? ""].filter((part) => part !== "").join("\n\n")}\n`;
}

// Mail clients support attributes and tables, but rarely style sheets or SVG.
const SHOWN = /^image\/(?:png|jpeg|gif)$/;

/** Renders the mail in the style of a brand, in light colors only: mail clients create their own dark version. */
export function renderHtml({ subject, paragraphs, fields = [], link, after }: Letter, brand: Letterhead): string {
  const { name, home, theme, logo, plate, radius } = brand;
  const { palettes, bands, fonts, headingWeight, shown } = theme;
  const { paper, surface, ink, soft, line, link: linkColor, fill, button, onButton, buttonEdge } = palettes.light;
  const top = bands.light.header ?? { background: paper, text: ink };
  const isShown = SHOWN.test(logo?.contentType ?? "");
  const ground = plate === "transparent" ? "" : `;background:${plate};padding:6px 10px;border-radius:8px`;
  const sign =
    logo === undefined || !isShown
      ? escapeHtml(name)
      : `<img src="${escapeHtml(logo.path)}" alt="${escapeHtml(name)}" height="36" style="display:block;height:36px;width:auto;max-width:240px${ground}">`;
  const rows = fields.map(
    ([field, value]) =>
      `<tr><th scope="row" align="left" valign="top" style="padding:6px 16px 6px 0;border-top:1px solid ${line};color:${soft};font-weight:400">${escapeHtml(field)}</th><td valign="top" style="padding:6px 0;border-top:1px solid ${line};white-space:pre-wrap;word-break:break-word">${escapeHtml(value)}</td></tr>`,
  );
  const said = [...paragraphs, ...(rows.length === 0 ? [] : [rows])].map((part) =>
    typeof part === "string"
      ? `<p style="margin:0 0 16px">${escapeHtml(part)}</p>`
      : `<table width="100%" cellspacing="0" cellpadding="0" style="margin:0 0 24px;font-size:16px">${part.join("")}</table>`,
  );
  const small = `margin:20px 0 0;color:${soft};font-size:14px;line-height:1.5`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${shown.light}">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0;padding:0;background:${surface}">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="background:${surface}"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="max-width:560px;background:${paper};border-top:4px solid ${bands.light.header?.background ?? fill};color:${ink};font:16px/1.6 ${quoted(fonts.body.stack)}">
<tr><td style="padding:16px 28px;background:${top.background};border-bottom:1px solid ${line}"><a href="${escapeHtml(home)}" style="color:${top.text};text-decoration:none;font:${headingWeight} 18px/1.25 ${quoted(fonts.heading.stack)}">${sign}</a></td></tr>
<tr><td style="padding:28px">
${said.join("\n")}
<a href="${escapeHtml(link.url)}" style="display:inline-block;padding:11px 20px;background:${button};color:${onButton};border:1px solid ${buttonEdge};border-radius:${radius}px;font-weight:600;text-decoration:none">${escapeHtml(link.text)}</a>
<p style="${small};word-break:break-all"><a href="${escapeHtml(link.url)}" style="color:${linkColor}">${escapeHtml(link.url)}</a></p>
${after === undefined ? "" : `<p style="${small}">${escapeHtml(after)}</p>`}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
}

function quoted(stack: string): string {
  return stack.replaceAll('"', "'");
}
