import type { Kysely } from "kysely";

// Times are milliseconds since 1970; lists and objects are JSON texts.

interface AccountTable {
  readonly id: string;
  readonly name: string;
  readonly created_at: number;
}

export interface ApiKeyTable {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly hash: string;
  readonly environment: string;
  readonly last_four: string;
  readonly scopes: string | null;
  readonly created_at: number;
  readonly last_used_at: number | null;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
}

export interface BrandKitTable {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly colors: string;
  readonly fonts: string;
  readonly logos: string;
  readonly source_url: string | null;
  readonly version: number;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface SiteTable {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly slug: string;
  readonly home_slug: string | null;
  readonly brand_kit_id: string | null;
  readonly version: number;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface PageTable {
  readonly id: string;
  readonly account_id: string;
  readonly slug: string;
  readonly title: string;
  readonly status: "draft" | "published";
  readonly site_id: string | null;
  readonly description: string | null;
  readonly content_hash: string;
  readonly bytes: number;
  readonly version: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly published_at: number | null;
}

interface PageHtmlTable {
  readonly page_id: string;
  readonly html: Uint8Array;
}

interface DeletedPageTable {
  readonly account_id: string;
  readonly slug: string;
  readonly deleted_at: number;
}

export interface AssetTable {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly content_type: string;
  readonly size: number;
  readonly hash: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly alt: string | null;
  readonly tags: string;
  readonly created_at: number;
  readonly updated_at: number;
}

interface PageAssetTable {
  readonly page_id: string;
  readonly asset_id: string;
}

export interface BlogTable {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly slug: string;
  readonly description: string | null;
  readonly site_id: string | null;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface PostTable {
  readonly id: string;
  readonly blog_id: string;
  readonly slug: string;
  readonly copy: number;
  readonly title: string;
  readonly status: "draft" | "published";
  readonly published_at: number | null;
  readonly excerpt: string | null;
  readonly cover_image: string | null;
  readonly tags: string;
  readonly author: string | null;
  readonly canonical_url: string | null;
  readonly content_hash: string;
  readonly version: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly html: string | null;
  readonly markdown: string | null;
}

interface IdempotentRequestTable {
  readonly account_id: string;
  readonly route: string;
  readonly key: string;
  readonly fingerprint: string;
  readonly created_at: number;
  readonly answer: string | null;
}

export interface Tables {
  readonly account: AccountTable;
  readonly api_key: ApiKeyTable;
  readonly brand_kit: BrandKitTable;
  readonly site: SiteTable;
  readonly page: PageTable;
  readonly page_html: PageHtmlTable;
  readonly deleted_page: DeletedPageTable;
  readonly asset: AssetTable;
  readonly page_asset: PageAssetTable;
  readonly blog: BlogTable;
  readonly post: PostTable;
  readonly idempotent_request: IdempotentRequestTable;
}

/** The database, or one transaction on it. */
export type Database = Kysely<Tables>;
