import { readFileSync } from "node:fs";
import { join } from "node:path";
import { base64DataAddress } from "../../html/placeholders.ts";
import type { Inserts } from "../../html/page-html.ts";
import type { AddressBook, Target } from "../address-book.ts";
import { contentTypeOf } from "../content-type.ts";
import type { BuiltSite, RewriteSettings, SiteWarning } from "../model.ts";
import { scanSiteFile } from "../read-file.ts";
import type { AssetRegistry } from "./assets.ts";

/** What is needed to rewrite style sheets, scripts, and feeds. */
export interface RewriteTools {
  readonly site: BuiltSite;
  readonly settings: RewriteSettings;
  readonly addresses: AddressBook;
  readonly assets: AssetRegistry;
  readonly inserts: Inserts;
}

export interface TextPlace {
  /** The file that contains it, below the dist folder. */
  readonly file: string;
  /** File that relative addresses are relative to, as a path below the dist folder; `undefined`: another site. */
  readonly base: string | undefined;
  /** The HTML file that uses it. */
  readonly usedIn: string;
  /** Line of the file where it begins. */
  readonly firstLine: number;
}

/** A style sheet or script while it is rewritten. */
export interface TextContext extends RewriteTools {
  readonly text: string;
  readonly place: TextPlace;
}

export function resolveIn({ addresses, place }: TextContext, address: string): Target {
  return place.base === undefined ? { kind: "foreign" } : addresses.resolve(address, place.base);
}

/** The line of the file for an offset in the text. */
export function lineIn({ text, place }: Pick<TextContext, "text" | "place">, offset: number): number {
  return place.firstLine + (text.slice(0, offset).match(/\n/g)?.length ?? 0);
}

export function warningAt(
  offset: number,
  context: Pick<TextContext, "text" | "place">,
  warning: Omit<SiteWarning, "file" | "line">,
): SiteWarning {
  return { ...warning, file: context.place.file, line: lineIn(context, offset) };
}

/** Returns a file of the site as a `data:` address whose bytes are inserted when the page is sent. */
export function fileDataAddress(path: string, { site, inserts }: Pick<RewriteTools, "site" | "inserts">): string {
  const { hash, bytes } = site.files.get(path) ?? scanSiteFile(site.root, path, { startBytes: 0 });
  const base64 = inserts.addBase64(hash, { bytes, read: () => readFileSync(join(site.root, path)) });
  return base64DataAddress(contentTypeOf(path), base64);
}
