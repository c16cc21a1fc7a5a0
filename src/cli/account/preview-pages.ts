import { findPreviewName } from "../../contract/slug.ts";
import type { AccountFlags } from "./account-command.ts";

interface Part<Item> {
  readonly flags: AccountFlags;
  /** Returns the slug of an item's page. */
  readonly of: (item: Item) => string;
  /** The command without `imprint`. */
  readonly command: string;
}

/** Returns what belongs to live pages, or to pages of previews with `--previews`, and a line about the others. */
export function keepPart<Item>(items: readonly Item[], { flags, of, command }: Part<Item>) {
  const { previews = false } = flags;
  const shown = items.filter((item) => (findPreviewName(of(item)) !== undefined) === previews);
  const others = items.length - shown.length;
  const more =
    previews || others === 0 ? "" : `\nOf previews: ${others} more, see \`imprint ${command} --previews\`.\n`;
  return { shown, more };
}
