import { assetRecord, domainRecord, pageRecord, siteRecord } from "../../contract/records.ts";
import { isHiddenStatus, isTrashStatus } from "../../contract/dialect.ts";
import { isJsonObject } from "../../base/json.ts";
import {
  asCount,
  asText,
  asWebAddress,
  dateOf,
  ENVELOPE_NAMES,
  fieldOf,
  firstOf,
  ID_NAMES,
  idOf,
  recordsOf,
  textOf,
  type JsonRecord,
} from "./fields.ts";
import {
  createRecordReader,
  findRecord,
  idOfLocation,
  isBareReply,
  ROW_IDS,
  unreadable,
  type RecordContext,
} from "./read-record.ts";
import { reportsFailure } from "./reported-failure.ts";

/** What hosts call the address for readers beside one for editors. */
export const PUBLIC_ADDRESSES = ["publicUrl", "publishedUrl", "liveUrl"];

const page = createRecordReader({
  record: pageRecord,
  names: ["page"],
  wanted: "page with a slug",
  needs: ["slug"],
  fields: {
    slug: (record) => firstOf(record, ["slug"], asSlug),
    id: ["pageId"],
    url: ["href"],
    publicUrl: (record) => firstOf(record, PUBLIC_ADDRESSES, asWebAddress),
    editUrl: (record) => firstOf(record, ["editUrl", "editorUrl"], asWebAddress),
    title: ["name"],
    status: readStatus,
    siteId: [],
    version: [],
    contentHash: ["hash"],
    createdAt: ["created"],
    updatedAt: readChangeTime,
  },
});

export const parsePage = page.parse;

/** Whether a listed page has no slug yet, like a draft that somebody has just begun. */
export function isUnnamedPage(json: unknown): boolean {
  const fits = (record: JsonRecord) => ("slug" in record ? { slug: record["slug"] } : undefined);
  const found = findRecord(json, { names: ["page"], fits });
  return found?.slug === null || (typeof found?.slug === "string" && found.slug.trim() === "");
}

/** Reads the status of a page or post, which a host may show by a time or a flag, as frameworks delete softly. */
export function readStatus(record: JsonRecord): string | undefined {
  const status = textOf(record, "status", "state");
  if (isTrashStatus(status)) return status;
  const isSince = (name: string) => (dateOf(record, name)?.getTime() ?? 0) > 0;
  const isFlag = (names: readonly string[], flags: readonly unknown[]) =>
    names.some((name) => flags.includes(fieldOf(record, name)));
  if (["deletedAt", "trashedAt"].some(isSince) || isFlag(["isDeleted", "isTrashed", "deleted", "trashed"], ON)) {
    return "deleted";
  }
  if (isSince("archivedAt") || isFlag(["isArchived", "archived"], ON)) return "archived";
  if (isHiddenStatus(status)) return status;
  if (isFlag(["isDraft", "draft"], ON)) return "draft";
  if (isProtected(record) || isFlag(["isProtected", "passwordProtected", "hasPassword", "membersOnly"], ON)) {
    return "protected";
  }
  if (isFlag(["isApproved", "approved"], OFF)) return "unapproved";
  return isFlag(["isPublished", "published", "isPublic", "isActive"], OFF) ? "unpublished" : status;
}

const FOR_SOME = /^(?:private|password|protected|members)/i;

/** Whether readers need a password or a login, as a person chose for the record at the host. */
function isProtected(record: JsonRecord): boolean {
  return textOf(record, "password") !== undefined || FOR_SOME.test(textOf(record, "visibility") ?? "");
}

// PHP and SQLite have no booleans.
const ON: readonly unknown[] = [true, 1, "1", "true"];
const OFF: readonly unknown[] = [false, 0, "0", "false"];

/** Reads a slug, which a host may show as a path: `/about/`. */
function asSlug(value: unknown): string | undefined {
  const text = asText(value);
  return asText(text?.replace(/^\/+|\/+$/g, "")) ?? text;
}

/** Reads when a record was last changed, under any common name. */
export function readChangeTime(record: JsonRecord): Date | undefined {
  return dateOf(record, "updatedAt", "modifiedAt", "updated");
}

export interface WrittenPageContext extends RecordContext {
  readonly sentSlug: string;
  readonly status: number;
}

/**
 * Reads the page in the response to a write. If the response doesn't name a slug, it is the one that was sent. Throws
 * if a response reports an error despite its status.
 */
export function parseWrittenPage(json: unknown, context: WrittenPageContext) {
  const { sentSlug, status } = context;
  const names = ["page"];
  const named = findRecord(json, { names, fits: (record) => page.read(record, context) });
  if (named !== undefined) return named;
  // A service that accepts a page for later (202) may describe the job in place of the page.
  if (status === 202 && !reportsFailure(json)) return { slug: sentSlug };
  const isPage = (record: JsonRecord) =>
    fieldOf(record, "id", "pageId", "url", "publicUrl", "editUrl", ...ROW_IDS) !== undefined;
  const fits = (record: JsonRecord) =>
    isPage(record) ? { ...page.readParts(record, context), slug: sentSlug } : undefined;
  const found = reportsFailure(json) ? undefined : findRecord(json, { names, fits });
  // A bare acknowledgment counts as a page; a response about something else doesn't.
  if (found === undefined && !isBareReply(json)) throw unreadable("page", { ...context, json });
  return found ?? { slug: sentSlug };
}

export const { parse: parseSite } = createRecordReader({
  record: siteRecord,
  names: ["site"],
  wanted: "site with an ID",
  needs: ["id"],
  fields: {
    id: ["siteId"],
    name: ["title"],
    slug: [],
    url: ["href"],
    homeSlug: [],
    basePath: [],
    brandKitId: ["kitId"],
    domain: ["customDomain"],
    pageCount: ["pagesCount"],
    version: [],
    createdAt: ["created"],
  },
});

// If a record has several, `url` may be the file's address in the dashboard.
const FILE_ADDRESSES = [
  "publicUrl",
  "cdnUrl",
  "secureUrl",
  "fileUrl",
  "imageUrl",
  "mediaUrl",
  "assetUrl",
  "contentUrl",
];
// These may be what was uploaded or imported, which readers may not get, or not for long.
const SOURCE_ADDRESSES = ["sourceUrl", "originalUrl"];
const ADDRESSES = ["url", "href", "src", "uri", "permalink", "downloadUrl", "link", "path", "location"];
const ASSET_NAMES = ["asset", "file", "image", "media", "upload", "uploaded", "attachment"];

// Statuses that media libraries give a file that readers can't get yet.
const PROCESSING =
  /^(?:in[-_ ]?progress|optimizing|pending|processing|queued|scanning|transcoding|uploading|waiting)$/i;

const USES = ["usedBy", "usageCount", "usages", "useCount", "references", "referencedBy"];

// A service may list what uses a file.
function readUses(record: JsonRecord): number | undefined {
  return firstOf(record, USES, (value) => (Array.isArray(value) ? value.length : asCount(value)));
}

const assetTable = {
  record: assetRecord,
  names: ASSET_NAMES,
  wanted: "asset with an ID and an address",
  fields: {
    id: ["assetId", "fileId", "imageId", "mediaId", "itemId", "libraryItemId", "publicId", "guid"],
    // Pages are served from a different host than the API, so an address in them must be absolute.
    url: (record: JsonRecord, { baseUrl }: RecordContext) => asWebAddress(addressIn(record), `${baseUrl}/`),
    name: ["fileName", "filename", "originalName", "title"],
    contentType: (record: JsonRecord) =>
      firstOf(record, ["contentType", "mimeType", "mimetype", "mime", "type"], asContentType),
    size: ["bytes", "fileSize", "contentLength"],
    hash: ["sha256", "contentHash", "checksum"],
    width: [],
    height: [],
    alt: ["altText"],
    usedBy: readUses,
    createdAt: ["uploadedAt", "created"],
    isProcessing: (record: JsonRecord) => (PROCESSING.test(textOf(record, "status", "state") ?? "") ? true : undefined),
  },
} as const;

const asset = createRecordReader({ ...assetTable, needs: ["id", "url"] });

export const parseAsset = asset.parse;

/**
 * Reads an asset in a list, which may not show the address; one without an id is identified by its address. Returns
 * `undefined` for a folder, and for a file in the trash.
 */
export function parseListedAsset(json: unknown, context: RecordContext) {
  if (isJsonObject(json) && (FOLDER.test(textOf(json, "type", "kind") ?? "") || isTrashStatus(readStatus(json)))) {
    return undefined;
  }
  const fits = (record: JsonRecord) => {
    const parts = asset.readParts(record, context);
    const { id = parts.url } = parts;
    return id === undefined ? undefined : { ...parts, id };
  };
  const found = findRecord(json, { names: ASSET_NAMES, fits });
  if (found === undefined) throw unreadable(assetTable.wanted, { ...context, json });
  return found;
}

const FOLDER = /^(?:folder|directory|collection)$/i;

// Cloudflare Images lists addresses as `variants`, WordPress has `sizes.full.source_url`, and Contentful has
// `fields.file.url`, by language if it shows several.
function addressIn(record: JsonRecord): string | undefined {
  const nested = (value: unknown): string | undefined => {
    if (Array.isArray(value)) return asText(value[0]);
    if (!isJsonObject(value)) return undefined;
    const languages = Object.keys(value).filter((name) => LANGUAGE.test(name));
    const inside = [...WHOLE, "content", "download", "file", ...languages];
    return textOf(value, ...WHOLE) ?? bestOf(value) ?? firstOf(value, inside, nested);
  };
  // Without an id, it wraps the record.
  const parts = idOf(record, ...ID_NAMES) === undefined ? [] : ["file", "fields"];
  const around = ["urls", "url", "variants", "sizes", "links", "_links", ...parts];
  return bestOf(record) ?? firstOf(record, around, nested);
}

function bestOf(record: JsonRecord): string | undefined {
  const url = textOf(record, "url");
  const isFile = url !== undefined && /\.[a-z\d]{2,5}(?:[?#]|$)/i.test(url);
  return textOf(record, ...FILE_ADDRESSES, ...(isFile ? ["url"] : []), ...SOURCE_ADDRESSES, ...ADDRESSES);
}

const WHOLE = ["original", "full"];
const LANGUAGE = /^[a-z]{2}(?:-[A-Z]{2})?$/;

/** Reads what the response to an upload contains about the file: the address may also be in `Location`, or missing. */
export function findAssetParts(
  json: unknown,
  { headers, context }: { readonly headers: ReadonlyMap<string, string>; readonly context: RecordContext },
): ReturnType<typeof asset.readParts> {
  const fits = (record: JsonRecord) => {
    const parts = asset.readParts(record, context);
    return parts.id === undefined && parts.url === undefined ? undefined : parts;
  };
  const bare = [json, isJsonObject(json) ? fieldOf(json, ...ENVELOPE_NAMES) : undefined].find((each) =>
    asWebAddress(each),
  );
  const found = findRecord(bare === undefined ? json : { url: bare }, { names: ASSET_NAMES, fits }) ?? {};
  const location = headers.get("location");
  if (location === undefined || found.url !== undefined) return found;
  const id = idOfLocation({ headers });
  // An API address refers to the record, any other to the file.
  return id === undefined
    ? { ...found, url: asWebAddress(location, `${context.baseUrl}/`) }
    : { ...found, id: found.id ?? id };
}

function asContentType(value: unknown): string | undefined {
  const type = asText(value);
  return type?.includes("/") === true ? type : undefined;
}

export const { parse: parseDomain } = createRecordReader({
  record: domainRecord,
  names: ["domain"],
  wanted: "domain with a name",
  needs: ["domain"],
  fields: {
    domain: ["hostname", "name"],
    id: ["domainId"],
    status: ["state"],
    verification: (record) => readDnsRecord(fieldOf(record, "verification", "verificationRecord")),
    dns: (record): readonly DnsRecord[] =>
      recordsOf(record, "dns", "dnsRecords", "records").flatMap((entry) => readDnsRecord(entry) ?? []),
    ssl: (record) => readCertificate(fieldOf(record, "ssl", "tls", "certificate")),
    siteId: [],
    redirectTo: ["redirect"],
    createdAt: ["created"],
    lastCheckedAt: ["checkedAt"],
    nextCheckAt: [],
    error: ["message"],
  },
});

/** A custom domain. The specification defines no fields, so everything except its name may be missing. */
export interface CustomDomain extends ReturnType<typeof parseDomain> {
  /** Our own service uses `pending`, `verified` (proven, but points elsewhere), `active`, or `failed`. */
  readonly status?: string;
  /** The record that proves ownership of the domain. */
  readonly verification?: DnsRecord;
  /** The records that point the domain to the service. */
  readonly dns: readonly DnsRecord[];
  /** The domain that visitors are redirected to. */
  readonly redirectTo?: string;
  /** When the service checks again automatically. */
  readonly nextCheckAt?: Date;
  /** What was missing in the last check. */
  readonly error?: string;
}

/** A record to set at the DNS provider. */
export interface DnsRecord {
  /** `TXT`, `CNAME`, `A`, `AAAA`, or `ALIAS`. */
  readonly type: string;
  readonly name: string;
  readonly value: string;
}

function readDnsRecord(record: unknown): DnsRecord | undefined {
  if (!isJsonObject(record)) return undefined;
  const type = textOf(record, "type", "recordType");
  const name = textOf(record, "name", "host", "hostname");
  const value = textOf(record, "value", "target", "content", "data");
  return type === undefined || name === undefined || value === undefined ? undefined : { type, name, value };
}

interface Certificate {
  readonly status?: string;
  readonly issuer?: string;
  readonly expiresAt?: Date;
}

function readCertificate(record: unknown): Certificate | undefined {
  if (!isJsonObject(record)) return undefined;
  return {
    status: textOf(record, "status"),
    issuer: textOf(record, "issuer"),
    expiresAt: dateOf(record, "expiresAt"),
  };
}
