import type { BrandKitBody } from "../../contract/requests.ts";
import { renderCss } from "./css.ts";
import { renderDtcg } from "./dtcg.ts";
import { renderKitJson } from "./json.ts";
import { renderShadcn } from "./shadcn.ts";
import { renderTailwind } from "./tailwind.ts";
import type { TokenOptions } from "../tokens.ts";

type RenderKit = (kit: BrandKitBody, options?: TokenOptions) => string;

/** The formats in which a kit can be written, each with its file name's ending. */
export const EXPORT_FORMATS = {
  css: { extension: "css", render: renderCss },
  dtcg: { extension: "tokens.json", render: renderDtcg },
  tailwind: { extension: "css", render: renderTailwind },
  shadcn: { extension: "css", render: renderShadcn },
  json: { extension: "json", render: renderKitJson },
} as const satisfies Record<string, { readonly extension: string; readonly render: RenderKit }>;

export type ExportFormat = keyof typeof EXPORT_FORMATS;

/** The kit in another format. The same kit always gives the same text. */
export function renderKit(kit: BrandKitBody, format: ExportFormat, options: TokenOptions = {}): string {
  const { render }: { readonly render: RenderKit } = EXPORT_FORMATS[format];
  return render(kit, options);
}
