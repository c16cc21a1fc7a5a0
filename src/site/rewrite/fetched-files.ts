import { textDataAddress } from "../../html/placeholders.ts";
import { contentTypeOf, kindOf } from "../content-type.ts";
import type { BuiltPage } from "../model.ts";
import type { RewriteContext } from "./context.ts";
import { isData, MAX_INLINE_BYTES, type PlacedData } from "./data-files.ts";
import { passWarnings, useAssets, type PageDraft } from "./page-draft.ts";
import type { PlacedAsk, Script } from "./scripts.ts";

/** The most that the files of one computed address may add to a page. */
const MAX_FOLDER_BYTES = 256 * 1024;

/** What the scripts of a page may ask for: addresses in the published page by path below the site's base. */
export function placeFetched(draft: PageDraft, scripts: readonly Script[]): Readonly<Record<string, string>> {
  const files = new Map<string, string>();
  for (const ask of scripts.flatMap(({ asks }) => asks)) {
    const paths = ask.isComputed ? findMatching(ask, draft) : findNamed(ask, draft);
    const addresses = paths.map((path) => [path, files.get(path) ?? placePath(path, ask, draft)] as const);
    const bytes = addresses.reduce((sum, [, address]) => sum + (address?.length ?? 0), 0);
    if (ask.isComputed && bytes > MAX_FOLDER_BYTES) {
      const message = `A script asks for ${paths.length} files as ${ask.address}: too many to be named in the page, so they can't be found.`;
      tell(ask, draft, message);
      continue;
    }
    for (const [path, address] of addresses) if (address !== undefined) files.set(path, address);
  }
  return Object.fromEntries([...files].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function tell({ file, line }: PlacedAsk, draft: PageDraft, message: string): void {
  passWarnings(draft, [{ code: "fetched-file", file, line, message }]);
}

/** Paths are those of a request, so that a file's own path is one and `/part` may be that of `part.html`. */
function findNamed({ address, isFetched }: PlacedAsk, draft: PageDraft): readonly string[] {
  const { addresses, settings } = draft.context;
  const target = draft.baseFile === undefined ? undefined : addresses.resolve(address, draft.baseFile);
  if (target?.kind === "file") return isFetched || isData(contentTypeOf(target.path)) ? [target.path] : [];
  if (target?.kind !== "page" || settings.slugs.has(target.page.route)) return [];
  const path = pathOf(address, draft);
  return path === undefined ? [] : [path];
}

function pathOf(address: string, { context, baseFile }: PageDraft): string | undefined {
  const { addresses, site } = context;
  const url = URL.parse(address, addresses.ownAddress(baseFile ?? ""));
  if (url === null) return undefined;
  const path = decodeURIComponent(url.pathname.replace(/%(?![0-9a-f]{2})/gi, "%25"));
  return path.startsWith(site.base) ? path.slice(site.base.length) : path.slice(1);
}

const matches = new WeakMap<RewriteContext, Map<string, readonly string[]>>();

function findMatching({ address, isFetched }: PlacedAsk, draft: PageDraft): readonly string[] {
  const path = pathOf(address.replace(/[?#].*$/, ""), draft);
  if (path === undefined || !/[^*/.]/.test(path)) return [];
  const known = matches.get(draft.context) ?? new Map<string, readonly string[]>();
  matches.set(draft.context, known);
  const key = `${path} ${isFetched}`;
  const found = known.get(key) ?? listMatching(path, isFetched, draft.context);
  known.set(key, found);
  return found;
}

function listMatching(path: string, isFetched: boolean, { site, settings }: RewriteContext): readonly string[] {
  const pattern = new RegExp(`^${path.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll("*", "[^/]+")}$`);
  const isWanted = (file: string): boolean => {
    const type = contentTypeOf(file);
    return isData(type) || (isFetched && /^(?:image|file)$/.test(kindOf(type)));
  };
  const parts = site.pages.filter(
    ({ route }) => !settings.slugs.has(route) && settings.heldPages?.[route] === undefined,
  );
  const names = parts.flatMap(({ file, route }) => [file, route.slice(1)]);
  return [...[...site.files.keys()].filter(isWanted), ...names].filter((name) => pattern.test(name));
}

function placePath(path: string, ask: PlacedAsk, draft: PageDraft): string | undefined {
  const { context, page } = draft;
  const target = context.addresses.resolve(context.site.base + encodeURI(path), page.file);
  const placed =
    target.kind === "file"
      ? context.data.place(target.path, page.file)
      : target.kind === "page"
        ? placePart(target.page, draft)
        : undefined;
  if (placed === undefined) {
    const kibibytes = MAX_INLINE_BYTES / 1024;
    tell(
      ask,
      draft,
      `A script asks for ${path}, which is larger than ${kibibytes} KiB and can't be put into the page.`,
    );
    return undefined;
  }
  useAssets(draft, placed.assets);
  for (const { hash, kind } of placed.assets) if (kind === "file") draft.fetched.add(hash);
  return placed.address;
}

/** HTML that is no page of its own stands in the page that asks for it. */
function placePart(part: BuiltPage, draft: PageDraft): Pick<PlacedData, "address" | "assets"> | undefined {
  const { html, assets, warnings } = draft.context.rewritePart(part);
  passWarnings(draft, warnings);
  if (Buffer.byteLength(html) > MAX_INLINE_BYTES) return undefined;
  return { address: textDataAddress("text/html", html), assets };
}
