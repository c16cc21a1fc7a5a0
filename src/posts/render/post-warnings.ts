import type { SiteWarning } from "../../site/model.ts";
import { isLocal } from "./local-address.ts";
import { placeInBody, type ParsedPost } from "../read/parse-post.ts";
import type { PostBody } from "./post-body.ts";
import type { PostImages } from "./post-images.ts";
import type { StrippedElement } from "./strip-elements.ts";

/** What of a post does not come along, or does not look as on the author's own site. */
export function warningsOf(parsed: ParsedPost, body: PostBody, images: PostImages): SiteWarning[] {
  const warn = (code: string, line: number | undefined, message: string): SiteWarning => ({
    code,
    file: parsed.file,
    ...(line === undefined ? {} : { line }),
    message,
  });
  const elements = body.stripped.map((element) => warn("stripped-element", undefined, describeStripped(element)));
  const raw = body.references.filter(({ address, kind, isMarkdown }) => {
    return kind === "image" && !isMarkdown && images.addresses.has(address) && !/^(?:\/|https?:)/i.test(address);
  });
  const rawImages = [...new Set(raw.map(({ address }) => address))].map((address) => {
    const message = `Astro leaves ${address} out of your own site, because it stands in an HTML tag. Write ![](${address}).`;
    return warn("raw-image", placeInBody(parsed, address).line, message);
  });
  const files = body.references.filter(({ kind, address }) => kind === "file" && isLocal(address));
  const unsentFiles = files.map(({ address }) => {
    return warn("unsent-file", placeInBody(parsed, address).line, `${address} is not sent: posts take images only.`);
  });
  const { cover } = parsed.fields;
  const isUnsent = cover !== undefined && images.cover === undefined;
  const message = `The cover ${cover?.source} is no file of the project and no web address, and is not sent.`;
  const unsentCover = isUnsent ? [warn("unsent-cover", cover.position.line, message)] : [];
  return [...elements, ...rawImages, ...unsentFiles, ...unsentCover];
}

function describeStripped({ name, component, isEmpty }: StrippedElement): string {
  if (component === undefined) return `<${name}> does nothing outside your site and is left out of the post.`;
  return isEmpty
    ? `The component ${component} is made by a script only, so that the post shows nothing in its place.`
    : `The component ${component} is sent as the HTML it starts with: without its script it does not react to readers.`;
}
