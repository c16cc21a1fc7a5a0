import { escapePattern } from "../base/escape-pattern.ts";
import type { Asset, ImprintApi } from "../client/api.ts";
import { findExpiry, lastingAddress, probeSignature, withoutSignature } from "../client/file-address.ts";
import type { Dialect } from "../contract/dialect.ts";
import type { SiteWarning } from "../site/model.ts";
import type { State } from "./state.ts";

// A library may sign the addresses of its files differently in each response. Pages then contain earlier addresses,
// which are valid until they expire.

interface AddressContext {
  readonly api: Pick<ImprintApi, "assets" | "visit" | "dialect" | "learn">;
  readonly now: () => Date;
}

/** Compares the addresses of files in pages with the library's current ones. */
export interface FileAddresses {
  /** Returns the listed files, each with its earlier address if that is still valid. */
  keep(listed: readonly Asset[], before: State["assets"]): Promise<readonly Asset[]>;
  /** Whether a text contains a valid address of each file. */
  areIn(html: string, addresses: readonly (string | undefined)[]): Promise<boolean>;
}

export function createFileAddresses({ api, now }: AddressContext): FileAddresses {
  let visiting: Promise<boolean> | undefined;

  async function works(address: string): Promise<boolean> {
    return (await api.visit(address))?.status === 200;
  }

  const isSameFile = (one: string, other: string) =>
    lastingAddress(one, api.dialect) === lastingAddress(other, api.dialect);

  // Pages are sent again before their files expire, so that readers don't notice.
  async function isGood(before: string, after: string): Promise<boolean> {
    if (before === after) return true;
    if (api.dialect.fileAddresses !== "changing" && !isSameFile(before, after)) return false;
    const [end, newEnd] = [findExpiry(before)?.getTime(), findExpiry(after)?.getTime()];
    const present = now().getTime();
    if (end !== undefined) return end > present && (end - present) * 2 >= (newEnd ?? end) - present;
    // One check is enough for all addresses without an expiry.
    return await (visiting ??= works(before));
  }

  // Detects an address that changed without a recognizable signature. One with another path may also be that of a
  // library that has moved, which doesn't change again.
  async function learnUnsaid(listed: readonly Asset[], before: ReadonlyMap<string, string>): Promise<void> {
    if (api.dialect.fileAddresses !== undefined) return;
    const changed = listed.find(({ id, url }) => {
      const earlier = before.get(id);
      return earlier !== undefined && earlier !== url && withoutSignature(earlier) !== withoutSignature(url);
    });
    if (changed === undefined) return;
    const { id, url } = changed;
    const isSamePath = pathOf(before.get(id) ?? "") === pathOf(url);
    const again = isSamePath ? undefined : (await api.assets.list()).items.find((asset) => asset.id === id);
    const isChanging = again !== undefined && again.url !== url;
    const fileAddresses = isSamePath ? await probeSignature(url, api) : isChanging ? "changing" : undefined;
    if (fileAddresses !== undefined) api.learn({ fileAddresses });
  }

  async function isIn(html: string, address: string): Promise<boolean> {
    if (html.includes(address)) return true;
    const path = pathOf(address);
    if (path === undefined) return false;
    for (const [found] of html.matchAll(new RegExp(`${escapePattern(path)}\\?[^"'\\s<>()\\\\]*`, "g"))) {
      if (await isGood(found.replaceAll("&amp;", "&"), address)) return true;
    }
    return false;
  }

  return {
    async keep(listed, remembered) {
      const before = new Map(Object.values(remembered).map(({ id, url }) => [id, url]));
      await learnUnsaid(listed, before);
      const { fileAddresses } = api.dialect;
      const kept: Asset[] = [];
      for (const asset of listed) {
        const url = fileAddresses === "unsigned" ? lastingAddress(asset.url, { fileAddresses }) : asset.url;
        const earlier = before.get(asset.id);
        const isKept = earlier !== undefined && fileAddresses !== "unsigned" && (await isGood(earlier, url));
        kept.push({ ...asset, url: isKept ? earlier : url });
      }
      return kept;
    },
    async areIn(html, addresses) {
      for (const address of addresses) if (address === undefined || !(await isIn(html, address))) return false;
      return true;
    },
  };
}

function mayChange(address: string, dialect: Dialect): boolean {
  return dialect.fileAddresses === "changing" || lastingAddress(address, dialect) !== address;
}

function pathOf(address: string): string | undefined {
  const url = URL.parse(address);
  return url === null ? undefined : url.origin + url.pathname;
}

/** Warns about files whose addresses expire. */
export function warnOfExpiry(addresses: Iterable<string>, { dialect }: Pick<ImprintApi, "dialect">): SiteWarning[] {
  if (dialect.fileAddresses === "unsigned") return [];
  const ends = Array.from(addresses, (address) => ({ address, end: findExpiry(address) }));
  const [first] = ends
    .filter(({ address, end }) => end !== undefined || mayChange(address, dialect))
    .toSorted((one, other) => (one.end?.getTime() ?? Infinity) - (other.end?.getTime() ?? Infinity));
  if (first === undefined) return [];
  const { address, end } = first;
  const what =
    end === undefined
      ? `change in each response, and may expire (\`url\` is ${address})`
      : `expire on ${end.toISOString()} (\`url\` is ${address})`;
  const message = `The file addresses that this service returns ${what}. Pages and posts then lose their files. Publish before that: once half of the time has passed, a run sends pages again, but not posts. Or ask the host for permanent addresses, or inline images of up to 256 KiB in pages with \`dialect: { unserved: { images: "their addresses expire" } }\` in the options.`;
  return [{ code: "expiring-files", file: "service", message, isNotice: true }];
}
