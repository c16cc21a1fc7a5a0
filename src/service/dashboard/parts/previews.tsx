// Content of the account as it looks: pages, posts and files.
import { assetUrl } from "../../resources/addresses.ts";
import type { Asset } from "../../store/assets.ts";
import { Bytes } from "./values.tsx";

/**
 * Answers with HTML of the account on the dashboard's host, for a frame to show. The sandbox gives it an origin of its
 * own: it has no session, can't access the dashboard and can't navigate away.
 */
export function answerPreview(html: Uint8Array | string, baseUrl: string): Response {
  // Links would lead the frame to where it may not go; towards a new window, which it may not open, they do nothing.
  const start = `<!doctype html><base href="${baseUrl}" target="_blank">`;
  return new Response(Buffer.concat([Buffer.from(start), Buffer.from(html)]), {
    headers: { ...FRAMED, "Content-Security-Policy": "sandbox allow-scripts; frame-ancestors 'self'" },
  });
}

/** Headers of HTML that a frame of the dashboard shows; a policy with a sandbox comes with them. */
export const FRAMED = {
  "Content-Type": "text/html; charset=utf-8",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "no-store",
} as const;

export interface PreviewProps {
  readonly pageId: string;
  readonly title: string;
  readonly width?: 1280 | 390;
}

/** A page as visitors see it, made small. It isn't counted as a visit. */
export function Preview({ pageId, title, width = 1280 }: PreviewProps) {
  return <PreviewFrame path={`/pages/${pageId}/preview`} title={title} width={width} />;
}

export interface PreviewFrameProps {
  /** Path of the dashboard that is answered with `answerPreview`. */
  readonly path: string;
  readonly title: string;
  /** How wide the window is that the content is laid out for, in CSS pixels. */
  readonly width?: 1280 | 390;
}

/** HTML of the account, made small. */
export function PreviewFrame({ path, title, width = 1280 }: PreviewFrameProps) {
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

export interface AssetGridProps {
  readonly assets: readonly Asset[];
  readonly pagesUrl: string;
}

/** Files of the library as they look; each leads to its own page. */
export function AssetGrid({ assets, pagesUrl }: AssetGridProps) {
  return (
    <ul class="grid assets">
      {assets.map((asset) => (
        <li class="card">
          <AssetPicture asset={asset} pagesUrl={pagesUrl} />
          <div class="text">
            <p class="name">
              <a href={`/library/${asset.id}`}>{asset.name}</a>
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

/** An image as it is, or the kind of a file that is none. Its name stands beside it, so the picture itself is silent. */
export function AssetPicture({ asset, pagesUrl }: { readonly asset: Asset; readonly pagesUrl: string }) {
  const { name, contentType } = asset;
  const kind = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1] ?? contentType.split("/")[1] ?? "file";
  return (
    <div class="picture">
      {contentType.startsWith("image/") ? (
        <img src={assetUrl({ appUrl: "", pagesUrl }, asset)} alt="" loading="lazy" decoding="async" />
      ) : (
        <span class="kind">{kind.toLowerCase()}</span>
      )}
    </div>
  );
}

/** The size of an image in pixels; `undefined` for other files. */
export function pixelsOf({ width, height }: Asset): string | undefined {
  return width === null || height === null ? undefined : `${width} × ${height}`;
}
