/** The parts of a kit that drift compares. Accepts kits as sent and as returned by the service. */
export interface ComparableKit {
  readonly colors?: readonly { readonly role: string; readonly hex: string }[];
  readonly fonts?: readonly ComparableFont[];
  readonly logos?: readonly { readonly kind: string; readonly url: string }[];
}

interface ComparableFont {
  readonly role: string;
  readonly family: string;
  readonly weights?: readonly number[] | null | undefined;
  readonly url?: string | null | undefined;
  readonly fallback?: readonly string[] | null | undefined;
}

export interface DriftOptions {
  /** Formats the address of a logo or font file. Default: unchanged. */
  readonly nameOf?: (url: string) => string;
}

/** A difference of one per channel is invisible: rounding in transit isn't drift. */
const UNSEEN_STEP = 1;

/** Describes the differences between two kits, one per line: `primary #25c2a0 → #2bd4b0`. Empty if there are none. */
export function describeDrift(
  before: ComparableKit,
  after: ComparableKit,
  { nameOf = (url) => url }: DriftOptions = {},
): readonly string[] {
  return [
    ...compare(before.colors ?? [], after.colors ?? [], {
      keyOf: ({ role }) => role,
      valueOf: ({ hex }) => hex,
      isSame: isSameColor,
    }),
    ...compare(before.fonts ?? [], after.fonts ?? [], {
      keyOf: ({ role }) => `${role} font`,
      valueOf: ({ family }) => family,
    }),
    ...compareFontFiles(before.fonts ?? [], after.fonts ?? [], nameOf),
    ...compare(before.logos ?? [], after.logos ?? [], {
      keyOf: ({ kind }) => kind,
      valueOf: ({ url }) => url,
      nameOf,
    }),
  ];
}

/** Compares hex colors without a color library, which a run without changes then needn't load. */
export function isSameColor(first: string, second: string): boolean {
  const [one, other] = [channelsOf(first), channelsOf(second)];
  if (one.length !== 3 || other.length !== 3) return first === second;
  return one.every((value, index) => Math.abs(value - (other[index] ?? 0)) <= UNSEEN_STEP);
}

function channelsOf(hex: string): readonly number[] {
  return /^#[0-9a-f]{6}$/i.test(hex) ? [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) : [];
}

/** Compares weights, files, and fallbacks if the family is the same; a different family says enough. */
function compareFontFiles(
  before: readonly ComparableFont[],
  after: readonly ComparableFont[],
  nameOf: (url: string) => string,
): readonly string[] {
  const isKept = ({ role, family }: ComparableFont, others: readonly ComparableFont[]) =>
    others.some((other) => other.role === role && other.family === family);
  const old = before.filter((font) => isKept(font, after));
  const fresh = after.filter((font) => isKept(font, before));
  return [
    ...compare(old, fresh, {
      keyOf: ({ role }) => `${role} font weights`,
      valueOf: ({ weights }) => weights?.join(" ") ?? "",
    }),
    ...compare(old, fresh, {
      keyOf: ({ role }) => `${role} font file`,
      valueOf: ({ url }) => url ?? "",
      nameOf,
    }),
    ...compare(old, fresh, {
      keyOf: ({ role }) => `${role} font fallback`,
      valueOf: ({ fallback }) => fallback?.join(", ") ?? "",
    }),
  ];
}

interface Comparison<Value> {
  readonly keyOf: (value: Value) => string;
  readonly valueOf: (value: Value) => string;
  /** Default: equal. */
  readonly isSame?: (first: string, second: string) => boolean;
  readonly nameOf?: (value: string) => string;
}

function compare<Value>(
  before: readonly Value[],
  after: readonly Value[],
  { keyOf, valueOf, isSame = Object.is, nameOf = (value) => value }: Comparison<Value>,
): readonly string[] {
  const old = new Map(before.map((value) => [keyOf(value), valueOf(value)]));
  const fresh = new Map(after.map((value) => [keyOf(value), valueOf(value)]));
  return [...new Set([...fresh.keys(), ...old.keys()])].flatMap((key) => {
    const from = old.get(key);
    const to = fresh.get(key);
    if (from !== undefined && to !== undefined && isSame(from, to)) return [];
    const [was, is] = [from, to].map((value) => (value === undefined || value === "" ? "none" : nameOf(value)));
    return [was === is ? `${key} ${was} changed` : `${key} ${was} → ${is}`];
  });
}
