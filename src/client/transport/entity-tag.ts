const TAG = /^(?:W\/)?"[^"]+"$/;

interface Tagged {
  readonly headers: ReadonlyMap<string, string>;
}

/** The entity tag of a response; a weak one can't be the condition of a change (RFC 9110, section 13.1.1). */
export function tagOf(reply: Tagged): string | undefined {
  const tag = anyTagOf(reply);
  return tag === undefined || isWeakTag(tag) ? undefined : tag;
}

/** The same, or a weak one: some services demand that as the condition, see `unlessEdited`. */
export function anyTagOf({ headers }: Tagged): string | undefined {
  const tag = headers.get("etag")?.trim() ?? "";
  return TAG.test(tag) ? tag : undefined;
}

export function isWeakTag(tag: string): boolean {
  return tag.startsWith("W/");
}
