import type { Dialect } from "../contract/dialect.ts";
import type { ImprintApi } from "./api.ts";

// Some libraries return signed addresses, which differ in each response and usually expire. Signature parameters are
// recognized by the names that the large stores and CDNs use.

const SIGNING =
  /^(?:x-(?:amz|goog|oss)-.+|(?:aws|oss)accesskeyid|googleaccessid|key-pair-id|policy|signature|sig|hmac|expires|expiry|exp|token)$/i;
// These mean something else without a signature.
const SIGNING_AZURE = /^(?:s[eiprstv]|spr|sip|srt|sdd|ses|scid|sk(?:oid|tid|[estv])|s[au]oid)$/i;
const CLOUD_DATE = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;
const MILLISECONDS_SINCE = 1e11;

/** Returns when a file address expires, or `undefined` if it doesn't specify that. */
export function findExpiry(address: string): Date | undefined {
  const fields = readQuery(address);
  if (fields.size === 0) return undefined;
  for (const store of ["amz", "goog", "oss"]) {
    const [, ...date] = CLOUD_DATE.exec(fields.get(`x-${store}-date`) ?? "") ?? [];
    const [year = 0, month = 0, ...rest] = date.map(Number);
    const seconds = Number(fields.get(`x-${store}-expires`));
    if (date.length > 0 && seconds > 0) return new Date(Date.UTC(year, month - 1, ...rest) + seconds * 1000);
  }
  const azure = fields.has("sig") ? fields.get("se") : undefined;
  const texts = [fields.get("expires"), fields.get("expiry"), fields.get("exp"), azure, readToken(fields.get("token"))];
  return texts.map(parseTime).find((time) => time !== undefined);
}

function readQuery(address: string): ReadonlyMap<string, string> {
  const query = URL.parse(address)?.searchParams ?? [];
  return new Map(Array.from(query, ([name, value]) => [name.toLowerCase(), value]));
}

/** Returns when a JSON Web Token expires. */
function readToken(token = ""): string | undefined {
  const [, payload, signature] = token.split(".");
  if (payload === undefined || signature === undefined) return undefined;
  return /"exp"\s*:\s*(\d+)/.exec(Buffer.from(payload, "base64url").toString())?.[1];
}

function parseTime(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  const time = /^\d{9,14}$/.test(text) ? number * (number < MILLISECONDS_SINCE ? 1000 : 1) : Date.parse(text);
  return /^\d{1,8}$/.test(text) || Number.isNaN(time) ? undefined : new Date(time);
}

/** Removes the signature from an address, if any. */
export function withoutSignature(address: string): string {
  const url = URL.parse(address);
  const names = [...(url?.searchParams.keys() ?? [])];
  const isAzure = names.some((name) => /^sig$/i.test(name));
  const signing = names.filter((name) => SIGNING.test(name) || (isAzure && SIGNING_AZURE.test(name)));
  if (url === null || signing.length === 0) return address;
  for (const name of signing) url.searchParams.delete(name);
  return url.href;
}

/**
 * Returns what two addresses of the same file on a host have in common. If its addresses are known to change without a
 * recognizable signature, that is everything except the query.
 */
export function lastingAddress(address: string, { fileAddresses }: Pick<Dialect, "fileAddresses">): string {
  const lasting = withoutSignature(address);
  if (lasting !== address || fileAddresses === undefined) return lasting;
  const url = URL.parse(address);
  if (url === null || url.search === "") return address;
  url.search = "";
  return url.href;
}

/**
 * Whether a host also serves a file without the signature: the same bytes, without a key. Returns `undefined` if that
 * can't be determined now.
 */
export async function probeSignature(
  address: string,
  { visit }: Pick<ImprintApi, "visit">,
): Promise<Dialect["fileAddresses"]> {
  const lasting = lastingAddress(address, { fileAddresses: "signed" });
  const [signed, bare] = await Promise.all([visit(address), visit(lasting)]);
  if (signed?.status !== 200 || bare === undefined) return undefined;
  return bare.status === 200 && Buffer.compare(signed.bytes, bare.bytes) === 0 ? "unsigned" : "signed";
}
