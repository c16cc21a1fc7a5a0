import { findAttribute } from "../../html/attributes.ts";
import { visitElements, type HtmlDocument } from "../../html/tree.ts";
import type { BuiltPage } from "../model.ts";
import type { Workshop } from "./workshop.ts";

/**
 * What the relative addresses of a page are relative to, as a path below the dist folder: the page itself, or what
 * its `<base>` says. `undefined` when that is another site.
 */
export function findBaseFile(
  document: HtmlDocument,
  { html, page, shop }: { readonly html: string; readonly page: BuiltPage; readonly shop: Workshop },
): string | undefined {
  if (!/<base\s/i.test(html)) return page.file;
  const addresses: string[] = [];
  visitElements(document, (element, { inert }) => {
    const address = element.tagName === "base" && !inert ? findAttribute(element, "href") : undefined;
    if (address !== undefined) addresses.push(address);
  });
  const [address] = addresses;
  return address === undefined ? page.file : shop.addresses.relativeFrom(address, page.file);
}
