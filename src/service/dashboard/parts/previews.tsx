// Previews of the account's content: pages, posts and files.
import { titlesOf } from "../../../contract/fields.ts";
import { pageRecord } from "../../../contract/records.ts";
import { assetUrl } from "../../resources/addresses.ts";
import { MAX_THUMBNAIL_BYTES, THUMBNAIL } from "../../resources/thumbnails.ts";
import type { Asset } from "../../store/assets.ts";
import type { Page } from "../../store/pages.ts";
import { Bytes, Pick, PublishState, Time, type Column } from "./lists.tsx";
import { fileTitle } from "./titles.ts";

/**
 * Responds with HTML of the account on the dashboard's host, for a frame. The sandbox gives it its own origin, so that
 * it has no session and can neither access the dashboard nor navigate away. `end` is appended to the HTML.
 */
export function answerPreview(html: Uint8Array | string, baseUrl: string, end = ""): Response {
  // The frame can't navigate, so links target a new window, which it can't open either: they do nothing.
  const start = `<!doctype html><base href="${baseUrl}" target="_blank">`;
  return new Response(Buffer.concat([Buffer.from(start), Buffer.from(html), Buffer.from(end)]), {
    headers: { ...FRAMED, "Content-Security-Policy": "sandbox allow-scripts; frame-ancestors 'self'" },
  });
}

/** Headers of HTML for frames of the dashboard; combined with a sandbox policy. */
export const FRAMED = {
  "Content-Type": "text/html; charset=utf-8",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "no-store",
} as const;

export interface PreviewProps {
  /** Path of the dashboard that responds with `answerPreview`. */
  readonly path: string;
  readonly title: string;
  /** Viewport width for the layout, in CSS pixels. */
  readonly width?: 1280 | 390;
}

/** A scaled preview of HTML as visitors see it. It isn't counted as a visit. */
export function Preview({ path, title, width = 1280 }: PreviewProps) {
  return (
    <div class={`preview w${width}`}>
      <iframe
        src={path}
        title={`Preview of ${title}`}
        sandbox="allow-scripts"
        loading="lazy"
        tabindex={-1}
        referrerpolicy="no-referrer"
      ></iframe>
    </div>
  );
}

/** Library files as thumbnails with links to their pages. */
export function AssetGrid({
  assets,
  pagesUrl,
  isPickable = false,
}: {
  readonly assets: readonly Asset[];
  readonly pagesUrl: string;
  readonly isPickable?: boolean;
}) {
  return (
    <ul class="grid assets">
      {assets.map((asset) => (
        <li class="card">
          {isPickable && <Pick id={asset.id} name={fileTitle(asset)} />}
          <AssetPicture asset={asset} url={thumbnailUrl(asset, pagesUrl)} />
          <div class="text">
            <p class="name">
              <a href={`/library/${asset.id}`}>{fileTitle(asset)}</a>
            </p>
            <p class="soft">
              <Bytes count={asset.size} />
              {asset.width !== null && (
                <>
                  {" · "}
                  <span class="number">{pixelsOf(asset)}</span>
                </>
              )}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Returns the URL of an image for lists: its thumbnail, or the file itself if small. */
export function thumbnailUrl(asset: Asset, pagesUrl: string): string {
  if (asset.size > MAX_THUMBNAIL_BYTES) return `/library/${asset.id}/${THUMBNAIL}`;
  return assetUrl({ appUrl: "", pagesUrl }, asset);
}

/** An image by URL, or the type of any other file. Its name is shown next to it. */
export function AssetPicture({ asset, url }: { readonly asset: Asset; readonly url: string }) {
  const { name, contentType, alt } = asset;
  const kind = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1] ?? contentType.split("/")[1] ?? "file";
  return (
    <div class="picture">
      {contentType.startsWith("image/") ? (
        <img src={url} alt={alt ?? ""} loading="lazy" decoding="async" />
      ) : (
        <span class="kind">{kind.toLowerCase()}</span>
      )}
    </div>
  );
}

/** Returns the size of an image in pixels; `undefined` for other files. */
export function pixelsOf({ width, height }: Asset): string | undefined {
  return width === null || height === null ? undefined : `${width} × ${height}`;
}

const TITLES = titlesOf(pageRecord);

/** Columns of a page table; `sites` are names by id, omitted if all pages are of one site. */
export function pageColumns(sites?: ReadonlyMap<string, string>): readonly Column<Page>[] {
  const site: Column<Page> = [TITLES.siteId, ({ siteId }) => sites?.get(siteId ?? "")];
  return [
    ["Page", ({ id, title }) => <a href={`/edit/${id}`}>{title}</a>],
    [TITLES.slug, ({ slug }) => <code>{slug}</code>],
    ...(sites === undefined ? [] : [site]),
    [TITLES.status, (page) => <PublishState of={page} />],
    [TITLES.bytes, ({ bytes }) => <Bytes count={bytes} />],
    [TITLES.updatedAt, ({ updatedAt }) => updatedAt],
  ];
}

/** Pages as thumbnails; `level` is the heading level of their titles. */
export function PageCards({
  pages,
  level: Heading = "h2",
}: {
  readonly pages: readonly Page[];
  readonly level?: "h2" | "h3";
}) {
  return (
    <ul class="grid previews">
      {pages.map((page) => (
        <li class="card">
          <Preview path={previewPathOf(page)} title={page.title} />
          <div class="text">
            <Heading>
              <a href={`/edit/${page.id}`}>{page.title}</a>
            </Heading>
            <p class="soft">
              <PublishState of={page} /> <Time at={page.updatedAt} />
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Returns the dashboard path of a page's own HTML. */
export function previewPathOf({ id }: Pick<Page, "id">): string {
  return `/pages/${id}/preview`;
}
