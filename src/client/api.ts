import type { Bytes } from "../base/bytes.ts";
import type { Dialect } from "../contract/dialect.ts";
import type { OperationName } from "../contract/operations.ts";
import type { Account } from "../contract/extension-records.ts";
import type { BlogCreateBody, PostCreateBody, PostPatchBody } from "../contract/operations/blogs.ts";
import type {
  BrandKitBody,
  BrandKitExtractBody,
  PagePatchBody,
  SiteCreateBody,
} from "../contract/operations/content.ts";
import type { AssetImportBody, AssetPatchBody } from "../contract/operations/library.ts";
import type { RouteSetName } from "../contract/route.ts";
import type { PreviewLink, SignInLink } from "./records/account-records.ts";
import type { parseBrandKit } from "./records/brand-kit.ts";
import type { parseBlog, parsePost } from "./records/blog-records.ts";
import type { parseAsset, parsePage, parseSite } from "./records/records.ts";
import type { DomainsApi, EventsApi, KeysApi, WebhooksApi } from "./resources/account.ts";
import type { AuditApi, UsersApi } from "./resources/people.ts";
import type { RequestsApi } from "./resources/requests.ts";
import type { ReleasesApi } from "./resources/releases.ts";
import type { AnalyticsApi, FormsApi, SubmissionsApi } from "./resources/visitors.ts";

/** What a creation returns besides the record. */
interface Created {
  /** Set if the service replayed the response of an earlier request: this one created nothing. */
  readonly replayed?: true;
  /**
   * Set if the service may have returned an existing record in place of creating this one: a page or post with status
   * 200 and another title or an old time of the last change; a site, blog, or brand kit that a list showed before.
   */
  readonly mayBeOther?: true;
}

/** A page as reported by the service. Only `slug` is guaranteed; everything else is present if the service sends it. */
export interface Page extends ReturnType<typeof parsePage>, Created, Whole {
  /** As sent by the service: a relative editor path in route set A, the published address in route set B. */
  readonly url?: string;
  /** Absolute public address, if the service reports it. */
  readonly publicUrl?: string;
  /** Absolute address of the editor, if the service reports it. */
  readonly editUrl?: string;
  /** SHA-256 of the HTML as it was sent, in hex. */
  readonly contentHash?: string;
  /** The strong `ETag` of the response that shows this page alone. */
  readonly etag?: string | undefined;
}

/** What a service shows of one page. */
export interface PageVersion extends Pick<Page, "etag" | "updatedAt"> {
  /** `undefined` if the service doesn't show it. */
  readonly html: string | undefined;
}

export interface Site extends ReturnType<typeof parseSite>, Created, Whole {
  /** The site's custom domain. */
  readonly domain?: string;
}

export interface Asset extends ReturnType<typeof parseAsset>, Created {
  /** In bytes. */
  readonly size?: number;
  /** SHA-256 of the stored bytes, in hex. */
  readonly hash?: string;
  /** Number of pages, posts, blogs, brand kits, and other files that use it. */
  readonly usedBy?: number;
  /** Set for an uploaded file if a list had it before: a library may keep files of the same content once. */
  readonly mayBeOther?: true;
}

export interface Blog extends ReturnType<typeof parseBlog>, Created, Whole {}

export interface Post extends ReturnType<typeof parsePost>, Created, Whole {
  /** Fields that the service shows without a value, such as `tags`; one that it doesn't show at all is unknown. */
  readonly unset?: readonly string[];
}

export interface BrandKit extends ReturnType<typeof parseBrandKit>, Created, Whole {}

/** A record of which all fields can be read. */
export interface Whole {
  /** The record as JSON with all of its fields; only if it was requested with `content`. */
  readonly json?: string;
}

/** A complete list. */
export interface Listing<Item> {
  readonly items: readonly Item[];
  /** The total count, if the service reports it. */
  readonly total: number | undefined;
  /**
   * `said`: the service's paging data states that nothing follows. `assumed`: the response had no paging data, so a
   * service that silently truncates lists can't be distinguished from one that sent everything.
   */
  readonly end: "said" | "assumed";
}

/** A file of the library whose address may be unknown. */
export type ListedAsset = Omit<Asset, "url"> & Partial<Pick<Asset, "url">>;

export interface AssetListing extends Listing<Asset> {
  /** The files whose addresses the list doesn't show. */
  readonly unaddressed: readonly ListedAsset[];
}

/** What the service supports: data, so that a plan can predict what won't work. */
export interface Capabilities {
  readonly routeSet: RouteSetName;
  /** The operations of the route set, and the extensions announced by the service. */
  readonly operations: ReadonlySet<OperationName>;
  /** What the library accepts: any file (route set A) or only images (route set B). */
  readonly assetTypes: "any" | "images";
  /**
   * How far this machine's clock is ahead of the service's, in milliseconds, by the `Date` of its latest response.
   * The header has whole seconds. Negative if it is behind; `undefined` if the service sends no times.
   */
  readonly clockAheadMs: number | undefined;
  /** Announced limits by name; a limit that isn't announced is absent. */
  readonly limits: Readonly<Record<string, number>>;
  /** Base address of published pages (`http://127.0.0.1:4401`), without a trailing slash, if known. */
  readonly pagesUrl: string | undefined;
  /** Address of published pages with `{slug}` as a placeholder (`https://x.example/{slug}`), if known. */
  readonly pagesAt: string | undefined;
  /** The response of `GET /api/account`; `undefined` if the service doesn't have this route. */
  readonly account: Account | undefined;
}

export interface CallOptions {
  /** Aborts the request; the call then throws `ABORTED`. */
  readonly signal?: AbortSignal;
}

export interface WriteOptions extends CallOptions {
  /** Changes the record only if it still has this version or `ETag`; otherwise the call throws `VERSION_MISMATCH`. */
  readonly ifMatch?: number | string | undefined;
}

export interface PageUpdateOptions extends WriteOptions {
  /** The page's `version` as the service last showed it, for services that require it in the body of a change. */
  readonly version?: number | undefined;
}

export interface CreateOptions extends CallOptions {
  /** Lets the service recognize a repeated request. Always use the same key with the same content. */
  readonly idempotencyKey?: string;
  /**
   * When the client may resend the request: `unsent` only if the service certainly did nothing, `always` also after a
   * response was lost, which requires an `idempotencyKey` and a service that supports it, unless a second record is
   * acceptable. Posts are never resent.
   *
   * @default "unsent"
   */
  readonly repeat?: "unsent" | "always";
}

export interface PageCreateOptions extends CreateOptions {
  /**
   * With `refuse`, an existing page throws `VERSION_MISMATCH` in route set A (`If-None-Match: *`); a service that
   * doesn't support the header overwrites it. Route set B always refuses.
   *
   * @default "overwrite"
   */
  readonly ifExists?: "overwrite" | "refuse";
}

export interface SiteDeleteOptions extends CallOptions {
  /**
   * What happens to the pages of the site.
   *
   * @default "keep" (they stay without a site)
   */
  readonly pages?: "keep" | "delete";
}

export interface AssetDeleteOptions extends CallOptions {
  /**
   * What happens to a file that pages still use: our own service refuses to delete it, or the pages lose it.
   *
   * @default "refuse"
   */
  readonly ifUsed?: "refuse" | "delete";
}

export interface PageInput {
  readonly slug: string;
  readonly html: string;
  readonly title: string;
  readonly siteId?: string;
  readonly description?: string;
  /** The version that this one replaces, for hosts that read it from the body. */
  readonly version?: number;
}

export interface AssetInput {
  /** File name with its extension. */
  readonly name: string;
  readonly contentType: string;
  /** The content, or the file that it is streamed from. */
  readonly bytes: Bytes;
  readonly alt?: string;
}

export interface PagesQuery {
  readonly siteId?: string;
  readonly updatedSince?: Date;
}

export interface AssetsQuery {
  /** Only the asset with these bytes. If a service doesn't support the filter, all assets are requested. */
  readonly hash?: string;
}

export interface ReadOptions extends CallOptions {
  /**
   * Whether to return all fields of the records that the service shows, as `json`.
   *
   * @default false
   */
  readonly content?: boolean;
}

/** With `content`, the bodies are requested too. A service that doesn't support this responds without them. */
export interface PostsListOptions extends ReadOptions {
  /** A length at which the service is known to truncate the list, in addition to the usual ones. */
  readonly pageSize?: number | undefined;
}

export interface PreviewLinkRequest {
  readonly slug: string;
  /** 1 to 30. Default: 7. */
  readonly expiresInDays?: number | undefined;
}

/** A request as defined by the contract. */
export interface OperationRequest extends CallOptions {
  /** Values of the path parameters, in order. */
  readonly parameters?: readonly string[];
  readonly query?: Readonly<Record<string, string>>;
  /** Fields of the body. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** The file to upload. */
  readonly file?: Pick<AssetInput, "name" | "contentType" | "bytes">;
}

export interface OperationResponse {
  readonly status: number;
  /** `undefined` for a document or an empty response. */
  readonly json: unknown;
  readonly text: string;
}

/** What a reader gets at an address. */
export interface Visit {
  readonly status: number;
  /** The final address after redirects. */
  readonly url: string;
  readonly contentType: string | undefined;
  /** How long a cache has at least had the response, in seconds; `undefined` if it doesn't come from a cache. */
  readonly cacheAge: number | undefined;
  /** `Content-Security-Policy`, with `X-Frame-Options` as `frame-ancestors`. */
  readonly policy: string | undefined;
  /** `X-Robots-Tag`. */
  readonly robots: string | undefined;
  /** `Refresh`, which sends readers on. */
  readonly refresh: string | undefined;
  /** Whether browsers save it as a file instead of showing it, by its `Content-Disposition`. */
  readonly isDownload: boolean;
  /** Empty if only the length was read. */
  readonly bytes: Uint8Array;
  /** Number of bytes, decompressed. */
  readonly length: number;
}

export interface VisitOptions extends CallOptions {
  /** Whether to bypass caches, as far as they allow it. Default: false. */
  readonly fresh?: boolean;
  /** The page that loads the file: some hosts serve files to their own pages only. */
  readonly from?: string | undefined;
  /** `length`: the body is only read if the response doesn't declare its length. Default: `body`. */
  readonly reads?: "body" | "length";
}

/**
 * The service, with the same interface for both route sets. Every method throws `ImprintError`: `NOT_SUPPORTED` before
 * any request if the route set doesn't have the operation, otherwise `KEY_REJECTED`, `SERVICE_UNREACHABLE`,
 * `SERVICE_REFUSED`, …
 */
export interface ImprintApi {
  readonly baseUrl: string;
  readonly capabilities: Capabilities;
  /** The service's dialect: what was passed in, plus what its responses have shown since. Worth saving. */
  readonly dialect: Dialect;
  /**
   * Passes on what was found out about the host elsewhere, such as where it shows pages; `undefined` removes a value.
   */
  learn(dialect: Dialect): void;
  /**
   * Number of concurrent requests that the service was found to handle: a good `initialConcurrency` for the next
   * client.
   */
  readonly concurrency: number;
  readonly pages: {
    list(query?: PagesQuery, options?: ReadOptions): Promise<Listing<Page>>;
    /** Route set A only. Returns `undefined` if the page doesn't exist. */
    get(slug: string, options?: ReadOptions): Promise<Page | undefined>;
    /** Returns the stored HTML, or `undefined` if the page doesn't exist or the service doesn't show it. */
    readHtml(slug: string, options?: CallOptions): Promise<string | undefined>;
    /** The same with the `ETag` of that version; `undefined` when there is no such page. */
    read(slug: string, options?: CallOptions): Promise<PageVersion | undefined>;
    /** Creates a page. Route set A has one request for create and update; B refuses a taken slug. */
    create(page: PageInput, options?: PageCreateOptions): Promise<Page>;
    update(page: PageInput, options?: PageUpdateOptions): Promise<Page>;
    /**
     * Changes title, description, status, or site, but not the HTML. Extension: `capabilities.operations` has
     * `pages.patch`.
     */
    patch(slug: string, change: PagePatchBody, options?: WriteOptions): Promise<Page>;
    /** Deletes a page. Succeeds if it is already gone. */
    delete(slug: string, options?: WriteOptions): Promise<void>;
  };
  readonly sites: {
    list(options?: ReadOptions): Promise<Listing<Site>>;
    get(id: string, options?: ReadOptions): Promise<Site | undefined>;
    create(site: SiteCreateBody, options?: CreateOptions): Promise<Site>;
    /** Changes a site. Takes the complete site, since route set B has no partial update. */
    update(id: string, site: SiteCreateBody, options?: WriteOptions): Promise<Site>;
    /** Route set A only. Deletes a site. Succeeds if it is already gone. */
    delete(id: string, options?: SiteDeleteOptions): Promise<void>;
  };
  readonly assets: {
    list(query?: AssetsQuery, options?: CallOptions): Promise<AssetListing>;
    /** Returns the first file in the list, which is the newest if lists are sorted that way. */
    newest(options?: CallOptions): Promise<Asset | undefined>;
    upload(asset: AssetInput, options?: CreateOptions): Promise<Asset>;
    importFrom(source: AssetImportBody, options?: CreateOptions): Promise<Asset>;
    /**
     * Waits until the library shows the address of a file that it is processing. Returns `undefined` if the list has no
     * such file, or doesn't say that it is being processed; throws `NOT_LIVE` after half a minute.
     */
    awaitAddress(isWanted: (asset: ListedAsset) => boolean, options?: CallOptions): Promise<Asset | undefined>;
    /** Route set A only. */
    update(id: string, change: AssetPatchBody, options?: CallOptions): Promise<Asset>;
    /** Route set A only. Deletes a file. Succeeds if it is already gone. */
    delete(id: string, options?: AssetDeleteOptions): Promise<void>;
  };
  readonly blogs: {
    list(options?: ReadOptions): Promise<Listing<Blog>>;
    create(blog: BlogCreateBody, options?: CreateOptions): Promise<Blog>;
  };
  readonly posts: {
    list(blogId: string, options?: PostsListOptions): Promise<Listing<Post>>;
    /** Sent once, on a separate connection, and never repeated by the client, since posts can't be deleted. */
    create(blogId: string, post: PostCreateBody, options?: CreateOptions): Promise<Post>;
    update(blogId: string, slug: string, change: PostPatchBody, options?: WriteOptions): Promise<Post>;
    delete(blogId: string, slug: string, options?: WriteOptions): Promise<void>;
    /** Creates a link that shows a draft until it expires. Each call creates a new one. */
    createPreviewLink(blogId: string, link: PreviewLinkRequest, options?: CallOptions): Promise<PreviewLink>;
  };
  readonly brandKits: {
    list(options?: ReadOptions): Promise<Listing<BrandKit>>;
    get(id: string, options?: ReadOptions): Promise<BrandKit | undefined>;
    create(kit: BrandKitBody, options?: CreateOptions): Promise<BrandKit>;
    update(id: string, kit: BrandKitBody, options?: WriteOptions): Promise<BrandKit>;
    delete(id: string, options?: CallOptions): Promise<void>;
    extract(source: BrandKitExtractBody, options?: CallOptions): Promise<Omit<BrandKit, "id">>;
  };
  readonly forms: FormsApi;
  readonly submissions: SubmissionsApi;
  readonly analytics: AnalyticsApi;
  readonly domains: DomainsApi;
  readonly keys: KeysApi;
  readonly users: UsersApi;
  readonly audit: AuditApi;
  readonly requests: RequestsApi;
  readonly releases: ReleasesApi;
  readonly webhooks: WebhooksApi;
  readonly events: EventsApi;
  /** Sends any operation of the route set or the extensions unchanged, without adapting it to the host. */
  request(operation: OperationName, request?: OperationRequest): Promise<OperationResponse>;
  /** Creates a link that signs a browser in to the dashboard. Requires a key with all scopes. */
  createSignInLink(options?: CallOptions): Promise<SignInLink>;
  /** Returns the current response of `GET /api/account`, or `undefined` if the service doesn't have this route. */
  readAccount(options?: CallOptions): Promise<Account | undefined>;
  /**
   * Returns the current number of records of each kind in the account, or `undefined` if the service doesn't report it.
   */
  readUsage(options?: CallOptions): Promise<Account["usage"] | undefined>;
  /** Reads a public address without the key. Returns `undefined` if nothing responds. */
  visit(address: string, options?: VisitOptions): Promise<Visit | undefined>;
  /** Closes the connections. */
  close(): Promise<void>;
}
