import type { Kysely } from "kysely";
import type { ApiKeyTable, SessionTable, SignInLinkTable } from "./tables/access.ts";
import type { OAuthClientTable, OAuthGrantTable, OAuthTokenTable } from "./tables/oauth.ts";
import type { DomainTables } from "./tables/domains.ts";
import type { JobTable, RequestLogTable } from "./tables/operations.ts";
import type {
  VisitorSaltTable,
  VisitorSeenTable,
  VisitorCountTable,
  OpenViewTable,
  ViewHourTable,
  ReferrerDayTable,
  ScrollDayTable,
  ClickCellDayTable,
  ClickElementDayTable,
  PageLayoutTable,
} from "./tables/visitors.ts";
import type { SharedTables } from "./tables/shared.ts";

// Times are milliseconds since 1970; lists and objects are JSON texts.

interface AccountTable {
  readonly id: string;
  readonly name: string;
  readonly created_at: number;
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

interface PostAssetTable {
  readonly post_id: string;
  readonly asset_id: string;
}

interface BlogAssetTable {
  readonly blog_id: string;
  readonly asset_id: string;
}

interface BrandKitAssetTable {
  readonly brand_kit_id: string;
  readonly asset_id: string;
}

interface FileAssetTable {
  readonly file_id: string;
  readonly asset_id: string;
}

interface UnreadTextTable {
  readonly kind: "page" | "post" | "blog" | "brand-kit" | "file";
  readonly id: string;
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

export interface PreviewLinkTable {
  readonly hash: string;
  readonly post_id: string;
  readonly expires_at: number;
}

interface RecordChangeTable {
  readonly account_id: string;
  readonly kind: string;
  readonly changes: number;
  readonly latest_at: number;
}

interface IdempotentRequestTable {
  readonly account_id: string;
  readonly route: string;
  readonly key: string;
  readonly fingerprint: string;
  readonly created_at: number;
  readonly answer: string | null;
}

interface IdempotentRecordTable {
  readonly record_id: string;
  readonly account_id: string;
  readonly route: string;
  readonly key: string;
}

export interface EventTable {
  readonly id: string;
  readonly account_id: string;
  readonly type: string;
  readonly subject: string;
  readonly data: string;
  readonly created_at: number;
}

export interface WebhookTable {
  readonly id: string;
  readonly account_id: string;
  readonly url: string;
  readonly description: string | null;
  readonly events: string;
  readonly secret: string;
  readonly old_secret: string | null;
  readonly old_secret_until: number | null;
  readonly disabled_reason: "switched-off" | "gone" | "failing" | null;
  readonly failing_since: number | null;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface DeliveryTable {
  readonly id: string;
  readonly webhook_id: string;
  readonly event_id: string | null;
  readonly type: string;
  readonly payload: string;
  readonly status: "pending" | "delivered" | "failed";
  readonly attempts: number;
  readonly next_attempt_at: number;
  readonly lease: string | null;
  readonly lease_until: number | null;
  readonly created_at: number;
  readonly finished_at: number | null;
  readonly last_status: number | null;
  readonly last_ms: number | null;
  readonly last_error: string | null;
  readonly last_answer: string | null;
  readonly last_attempt_at: number | null;
}

export interface FormTable {
  readonly id: string;
  readonly account_id: string;
  readonly page_id: string;
  readonly page_slug: string;
  readonly action_slug: string;
  readonly name: string;
  readonly position: number;
  readonly fields: string;
  readonly honeypot: string | null;
  readonly open: number;
  readonly created_at: number;
}

export interface SubmissionTable {
  readonly id: string;
  readonly account_id: string;
  readonly form_id: string;
  readonly page_id: string;
  readonly page_slug: string;
  readonly fields: string;
  readonly email: string | null;
  readonly lead: number;
  readonly spam: number;
  readonly created_at: number;
}

export interface Tables extends DomainTables, SharedTables {
  readonly account: AccountTable;
  readonly api_key: ApiKeyTable;
  readonly session: SessionTable;
  readonly sign_in_link: SignInLinkTable;
  readonly oauth_client: OAuthClientTable;
  readonly oauth_grant: OAuthGrantTable;
  readonly oauth_token: OAuthTokenTable;
  readonly brand_kit: BrandKitTable;
  readonly site: SiteTable;
  readonly page: PageTable;
  readonly page_html: PageHtmlTable;
  readonly deleted_page: DeletedPageTable;
  readonly asset: AssetTable;
  readonly page_asset: PageAssetTable;
  readonly post_asset: PostAssetTable;
  readonly blog_asset: BlogAssetTable;
  readonly brand_kit_asset: BrandKitAssetTable;
  readonly file_asset: FileAssetTable;
  readonly unread_text: UnreadTextTable;
  readonly record_change: RecordChangeTable;
  readonly blog: BlogTable;
  readonly post: PostTable;
  readonly preview_link: PreviewLinkTable;
  readonly idempotent_request: IdempotentRequestTable;
  readonly idempotent_record: IdempotentRecordTable;
  readonly form: FormTable;
  readonly submission: SubmissionTable;
  readonly visitor_salt: VisitorSaltTable;
  readonly visitor_seen: VisitorSeenTable;
  readonly visitor_count: VisitorCountTable;
  readonly open_view: OpenViewTable;
  readonly view_hour: ViewHourTable;
  readonly referrer_day: ReferrerDayTable;
  readonly scroll_day: ScrollDayTable;
  readonly click_cell_day: ClickCellDayTable;
  readonly click_element_day: ClickElementDayTable;
  readonly page_layout: PageLayoutTable;
  readonly event: EventTable;
  readonly webhook: WebhookTable;
  readonly delivery: DeliveryTable;
  readonly request_log: RequestLogTable;
  readonly job: JobTable;
}

/** The database, or one transaction on it. */
export type Database = Kysely<Tables>;
