import sax from "sax";
import { applyEdits, type Edit } from "../../html/edits.ts";

/** Elements that stand for a page: of RSS, of Atom and of a sitemap. */
const ITEMS = new Set(["item", "entry", "url"]);
/** Elements in them whose text is the page's address; Atom has it in `link[href]`. */
const ADDRESSES = new Set(["link", "loc", "guid", "id"]);

interface OpenItem {
  readonly start: number;
  readonly depth: number;
  readonly addresses: string[];
}

/**
 * Takes the items out of an RSS or Atom feed or a sitemap whose address is `unwanted`. Everything else stays as it is
 * written. A text that is no well-formed XML stays whole.
 */
export function dropFeedItems(xml: string, unwanted: (address: string) => boolean): string {
  const parser = sax.parser(true, { position: true });
  const edits: Edit[] = [];
  let item: OpenItem | undefined;
  let [depth, text] = [0, ""];
  const addText = (part: string): void => void (text += part);
  Object.assign(parser, {
    ontext: addText,
    oncdata: addText,
    onerror(error: Error) {
      throw error;
    },
    onopentag({ name, attributes }: sax.Tag) {
      [depth, text] = [depth + 1, ""];
      if (item === undefined && ITEMS.has(name)) item = { start: parser.startTagPosition - 1, depth, addresses: [] };
      const { href } = attributes;
      if (name === "link" && href !== undefined) item?.addresses.push(href);
    },
    onclosetag(name: string) {
      if (item !== undefined && depth === item.depth + 1 && ADDRESSES.has(name)) item.addresses.push(text.trim());
      if (item !== undefined && depth === item.depth) {
        const isUnwanted = item.addresses.some((address) => address !== "" && unwanted(address));
        if (isUnwanted) edits.push({ start: item.start, end: parser.position, text: "" });
        item = undefined;
      }
      [depth, text] = [depth - 1, ""];
    },
  });
  try {
    parser.write(xml).close();
  } catch {
    return xml;
  }
  return applyEdits(xml, edits);
}
