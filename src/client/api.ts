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
import type { parseAsset, parseBlog, parsePage, parsePost, parseSite } from "./records/records.ts";
import type { DomainsApi, EventsApi, KeysApi, WebhooksApi } from "./resources/account.ts";
import type { AuditApi, UsersApi } from "./resources/people.ts";
import type { RequestsApi } from "./resources/requests.ts";
import type { ReleasesApi } from "./resources/releases.ts";
import type { AnalyticsApi, FormsApi, SubmissionsApi } from "./resources/visitors.ts";

/** What a creation returns beside the record. */
interface Created {
  /** Set when the service had carried the creation out before: nothing was made by this request. */
  readonly replayed?: true;
}

/** A page as the service reports it. Only `slug` is certain; everything else is there when the service sends it. */
export interface Page extends ReturnType<typeof parsePage>, Created {
  /** As the service sends it: a relative editor path in route set A, the published address in route set B. */
  readonly url?: string;
  /** Absolute address that readers open, when the service reports it. */
  readonly publicUrl?: string;
  /** Absolute address of the editor, when the service reports it. */
  readonly editUrl?: string;
  /** SHA-256 of the HTML as it was sent, in hexadecimal digits. */
  readonly contentHash?: string;
  /** The strong `ETag` of the response that shows this page alone. */
  readonly etag?: string | undefined;
}

/** What a service shows of one page. */
export interface PageVersion extends Pick<Page, "etag"> {
  /** `undefined` when the service does not show it. */
  readonly html: string | undefined;
}

export interface Site extends ReturnType<typeof parseSite>, Created {
  /** The custom domain under which visitors find it. */
  readonly domain?: string;
}

export interface Asset extends ReturnType<typeof parseAsset>, Created {
  /** In bytes. */
  readonly size?: number;
  /** SHA-256 of the stored bytes, in hexadecimal digits. */
  readonly hash?: string;
  /** How many pages, posts, blogs, brand kits and other files use it. */
  readonly usedBy?: number;
}

export interface Blog extends ReturnType<typeof parseBlog>, Created {}

export interface Post extends ReturnType<typeof parsePost>, Created {}

export interface BrandKit extends ReturnType<typeof parseBrandKit> {}

/** A list that was read to its end. */
export interface Listing<Item> {
  readonly items: readonly Item[];
  /** How many there are, when the service says so. */
  readonly total: number | undefined;
  /**
   * `said`: the service's paging data says that nothing follows. `assumed`: the answer had no paging data, so that
   * a service which cuts lists silently can't be distinguished from one that sent everything.
   */
  readonly end: "said" | "assumed";
}

/** What the service at hand can do: data, so that a plan can say beforehand what will not work. */
export interface Capabilities {
  readonly routeSet: RouteSetName;
  /** The operations of the route set, and the extensions that the service announced. */
  readonly operations: ReadonlySet<OperationName>;
  /** What the library takes: any file (route set A) or images only (route set B). */
  readonly assetTypes: "any" | "images";
  /** Announced limits by name; a limit that is not announced is absent. */
  readonly limits: Readonly<Record<string, number>>;
  /** Base address of published pages (`http://127.0.0.1:4401`), without a slash at the end, when it is known. */
  readonly pagesUrl: string | undefined;
  /** Address of published pages with `{slug}` for the slug (`https://x.example/{slug}`), when it is known. */
  readonly pagesAt: string | undefined;
  /** What `GET /api/account` answered; `undefined` where the service has no such route. */
  readonly account: Account | undefined;
}

export interface CallOptions {
  /** Ends the request; the call then throws `ABORTED`. */
  readonly signal?: AbortSignal;
}

export interface WriteOptions extends CallOptions {
  /** Only change the record when it still has this version, or this `ETag`; else the call throws `VERSION_MISMATCH`. */
  readonly ifMatch?: number | string | undefined;
}

export interface CreateOptions extends CallOptions {
  /** Lets the service recognise a repeated request. The same key always goes with the same content. */
  readonly idempotencyKey?: string;
  /**
   * When the request may be sent again by itself: `unsent` only while the service surely did nothing, `always` also
   * after an answer was lost, which needs an `idempotencyKey` and a service that honours it, or a second record must
   * not matter. Posts are never sent again.
   *
   * @default "unsent"
   */
  readonly repeat?: "unsent" | "always";
}

export interface PageCreateOptions extends CreateOptions {
  /**
   * `refuse` makes a page that exists already a `VERSION_MISMATCH` in route set A (`If-None-Match: *`); a service that
   * does not know the header overwrites it. Route set B refuses by itself.
   *
   * @default "overwrite"
   */
  readonly ifExists?: "overwrite" | "refuse";
}

export interface SiteDeleteOptions extends CallOptions {
  /**
   * What becomes of the pages of the site.
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
}

export interface AssetInput {
  /** File name with its ending. */
  readonly name: string;
  readonly contentType: string;
  /** The content, or the file that it is read from while it is sent. */
  readonly bytes: Bytes;
  readonly alt?: string;
}

export interface PagesQuery {
  readonly siteId?: string;
  readonly updatedSince?: Date;
}

export interface AssetsQuery {
  /** Only the asset with these bytes. A service that does not know the filter is asked for everything. */
  readonly hash?: string;
}

export interface PostsListOptions extends CallOptions {
  /**
   * Asks for the bodies too. A service that does not know the wish answers without them.
   *
   * @default false
   */
  readonly content?: boolean;
  /** A length at which the service is known to cut the list, beside the usual ones. */
  readonly pageSize?: number | undefined;
}

export interface PreviewLinkRequest {
  readonly slug: string;
  /** 1 to 30. Default: 7. */
  readonly expiresInDays?: number | undefined;
}

/** One request as the contract shows it. */
export interface OperationRequest extends CallOptions {
  /** Values of the path's parameters, in their order. */
  readonly parameters?: readonly string[];
  readonly query?: Readonly<Record<string, string>>;
  /** Fields of the body. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** The file of an upload. */
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
  readonly contentType: string | undefined;
  readonly bytes: Uint8Array;
}

/**
 * The service, the same for both route sets. Every method throws `ImprintError`: `NOT_SUPPORTED` before any request
 * when the route set has no such operation, `KEY_REJECTED`, `SERVICE_UNREACHABLE`, `SERVICE_REFUSED`, … otherwise.
 */
export interface ImprintApi {
  readonly baseUrl: string;
  readonly capabilities: Capabilities;
  /** How the service wants to be written to: what was given, and what its answers taught since. Worth keeping. */
  readonly dialect: Dialect;
  /** Gives the client what was found out about the host elsewhere, such as where it shows pages; `undefined` forgets it. */
  learn(dialect: Dialect): void;
  /** How many requests at a time the service was found to take: a good `initialConcurrency` for the next client. */
  readonly concurrency: number;
  readonly pages: {
    list(query?: PagesQuery, options?: CallOptions): Promise<Listing<Page>>;
    /** Route set A only. `undefined` when there is no such page. */
    get(slug: string, options?: CallOptions): Promise<Page | undefined>;
    /** The stored HTML; `undefined` when the page does not exist or the service does not show it. */
    readHtml(slug: string, options?: CallOptions): Promise<string | undefined>;
    /** The same with the `ETag` of that version; `undefined` when there is no such page. */
    read(slug: string, options?: CallOptions): Promise<PageVersion | undefined>;
    /** Creates a page. Route set A has one request for create and update; B refuses a taken slug. */
    create(page: PageInput, options?: PageCreateOptions): Promise<Page>;
    update(page: PageInput, options?: WriteOptions): Promise<Page>;
    /** Changes title, description, status or site, not the HTML. Extension: `capabilities.operations` has `pages.patch`. */
    patch(slug: string, change: PagePatchBody, options?: WriteOptions): Promise<Page>;
    /** Deletes a page; one that is gone already is no error. */
    delete(slug: string, options?: WriteOptions): Promise<void>;
  };
  readonly sites: {
    list(options?: CallOptions): Promise<Listing<Site>>;
    get(id: string, options?: CallOptions): Promise<Site | undefined>;
    create(site: SiteCreateBody, options?: CreateOptions): Promise<Site>;
    /** Changes a site. Takes the whole site, since route set B has no partial change. */
    update(id: string, site: SiteCreateBody, options?: WriteOptions): Promise<Site>;
    /** Route set A only. Deletes a site; one that is gone already is no error. */
    delete(id: string, options?: SiteDeleteOptions): Promise<void>;
  };
  readonly assets: {
    list(query?: AssetsQuery, options?: CallOptions): Promise<Listing<Asset>>;
    /** The file that stands first in the list, which is the newest one where lists begin with it. */
    newest(options?: CallOptions): Promise<Asset | undefined>;
    upload(asset: AssetInput, options?: CreateOptions): Promise<Asset>;
    importFrom(source: AssetImportBody, options?: CreateOptions): Promise<Asset>;
    /** Route set A only. */
    update(id: string, change: AssetPatchBody, options?: CallOptions): Promise<Asset>;
    /** Route set A only. Deletes a file; one that is gone already is no error. */
    delete(id: string, options?: AssetDeleteOptions): Promise<void>;
  };
  readonly blogs: {
    list(options?: CallOptions): Promise<Listing<Blog>>;
    create(blog: BlogCreateBody, options?: CreateOptions): Promise<Blog>;
  };
  readonly posts: {
    list(blogId: string, options?: PostsListOptions): Promise<Listing<Post>>;
    /** Sent once, on a connection of its own and never repeated by the client: a post can't be deleted. */
    create(blogId: string, post: PostCreateBody, options?: CreateOptions): Promise<Post>;
    update(blogId: string, slug: string, change: PostPatchBody, options?: WriteOptions): Promise<Post>;
    delete(blogId: string, slug: string, options?: WriteOptions): Promise<void>;
    /** Creates a link that shows a draft until it expires. Each call makes a new one. */
    createPreviewLink(blogId: string, link: PreviewLinkRequest, options?: CallOptions): Promise<PreviewLink>;
  };
  readonly brandKits: {
    list(options?: CallOptions): Promise<Listing<BrandKit>>;
    get(id: string, options?: CallOptions): Promise<BrandKit | undefined>;
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
  /** Sends any operation of the route set or of the extensions as it is, without adapting it to the host. */
  request(operation: OperationName, request?: OperationRequest): Promise<OperationResponse>;
  /** Makes a link that signs a browser in to the dashboard. It needs a key with all scopes. */
  createSignInLink(options?: CallOptions): Promise<SignInLink>;
  /** What `GET /api/account` answers now; `undefined` where the service has no such route. */
  readAccount(options?: CallOptions): Promise<Account | undefined>;
  /** How many records of each kind the account has now; `undefined` where the service does not report it. */
  readUsage(options?: CallOptions): Promise<Account["usage"] | undefined>;
  /** Reads a public address, without the key; `undefined` when nothing answers there. */
  visit(address: string, options?: CallOptions): Promise<Visit | undefined>;
  /** Frees the connections. */
  close(): Promise<void>;
}
