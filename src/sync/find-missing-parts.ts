import type { ImprintApi } from "../client/api.ts";
import { missingParts, type ShownPolicy } from "../html/blocked-parts.ts";
import { addedSheets } from "../html/own-parts.ts";
import type { PagePart } from "../html/page-parts.ts";

export interface ShownPage {
  readonly html: string;
  /** Where readers get it, and the policy of its host; `undefined` if only the API shows it. */
  readonly visit: ShownPolicy | undefined;
}

const MOST_SHEETS = 4;

/**
 * Returns the parts of a page that readers don't get. If the page lacks its styles, reads the style sheets that the host
 * added, since a host may move styles into a file.
 */
export async function findMissingParts(
  sent: string,
  { html, visit }: ShownPage,
  api: ImprintApi,
): Promise<readonly PagePart[]> {
  const parts = missingParts(sent, html, visit);
  if (visit === undefined || !parts.includes("styles")) return parts;
  const addresses = addedSheets(sent, html).flatMap((address) => URL.parse(address, visit.url)?.href ?? []);
  if (addresses.length === 0) return parts;
  const sheets = await Promise.all(addresses.slice(0, MOST_SHEETS).map((address) => api.visit(address)));
  const texts = sheets.map((sheet) => (sheet?.status === 200 ? new TextDecoder().decode(sheet.bytes) : ""));
  return missingParts(sent, `${html}<style>${texts.join("\n")}</style>`, visit);
}
