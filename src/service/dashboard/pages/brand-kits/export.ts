import { EXPORT_FORMATS, renderKit, type ExportFormat } from "../../../../brand/render/formats.ts";
import { getBrandKit } from "../../../resources/brand-kits.ts";
import { ProblemError } from "../../../http/problem.ts";
import type { DashboardContext } from "../../scene.ts";
import { bodyOfKit } from "./kit-body.ts";

const CONTENT_TYPES = { css: "text/css", json: "application/json", "tokens.json": "application/json" } as const;

/** `/brand-kits/:kitId/export/:format`: what `imprint brand export` writes. */
export async function exportKit(context: DashboardContext): Promise<Response> {
  const kit = await getBrandKit(context.var.scene.records, context.req.param("kitId") ?? "");
  const format = context.req.param("format") ?? "";
  if (!isFormat(format)) throw new ProblemError("kit_not_found", { detail: "There is no such format." });
  const text = renderKit(bodyOfKit(kit), format);
  const { extension } = EXPORT_FORMATS[format];
  return new Response(text, {
    headers: {
      "Content-Type": `${CONTENT_TYPES[extension]}; charset=utf-8`,
      "Content-Disposition": `attachment; filename="brand-kit.${extension}"`,
      "Cache-Control": "private, no-store",
    },
  });
}

function isFormat(text: string): text is ExportFormat {
  return Object.hasOwn(EXPORT_FORMATS, text);
}
