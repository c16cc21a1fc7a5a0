import type { Kysely } from "kysely";
import type { ApiKeyTable } from "./api-keys.ts";
import type { StoredAccount } from "./accounts.ts";
import type { AssetUserKind } from "./asset-uses.ts";
import type { AssetTable } from "./assets.ts";
import type { AuditEntry } from "./audit.ts";
import type { BlogTable } from "./blogs.ts";
import type { BrandKitTable } from "./brand-kits.ts";
import type { Click, Layout, OpenView, OpenVisit, ViewNumbers } from "./visits.ts";
import type { DayRoom, TraitVisits, UnsummedVisit, VisitNumbers, VisitTraits } from "./visit-counts.ts";
import type { CertificateTable, Challenge, DomainTable } from "./domains.ts";
import type { FormerVersion, WorkingCopy } from "./editing.ts";
import type { FormTable } from "./forms.ts";
import type { LeftOut } from "./left-out.ts";
import type { KeptRequest, LoggedRequest, RequestKey } from "./requests.ts";
import type { Mail } from "./mails.ts";
import type { OAuthGrantTable } from "./oauth.ts";
import type { PageTable } from "./pages.ts";
import type { Post, PreviewLink } from "./posts.ts";
import type { Session, SignInLink } from "./sessions.ts";
import type { ContentTable, ReleaseAssetTable, ReleasePageTable, ReleaseTable } from "./releases.ts";
import type { SiteTable } from "./sites.ts";
import type { StoredUser } from "./users.ts";
import type { SubmissionTable } from "./submissions.ts";
import type { DeliveryTable, StoredEvent, Webhook } from "./webhooks.ts";

// Names and values match the records; `database.ts` defines how the database stores them.

/** A library file that a record refers to. */
type UseTable<Column extends string> = { readonly [Name in Column | "assetId"]: string };

/** Columns of daily page stats. */
interface PageDay {
  readonly pageId: string;
  readonly day: number;
}

export interface Tables {
  readonly account: StoredAccount & { readonly createdAt: Date };
  readonly accountUser: StoredUser;
  readonly auditEntry: AuditEntry;
  readonly mail: Mail;
  readonly apiKey: ApiKeyTable;
  readonly session: Session;
  readonly signInLink: SignInLink;
  readonly oauthClient: {
    readonly id: string;
    readonly metadata: Readonly<Record<string, unknown>>;
    readonly createdAt: Date;
    readonly expiresAt: Date | null;
  };
  readonly oauthGrant: OAuthGrantTable;
  readonly oauthToken: {
    readonly hash: string;
    readonly kind: string;
    readonly grantId: string | null;
    readonly payload: string;
    readonly createdAt: Date;
    readonly expiresAt: Date;
    readonly usedAt: Date | null;
  };
  readonly brandKit: BrandKitTable;
  readonly site: SiteTable;
  readonly page: PageTable;
  readonly pageHtml: { readonly pageId: string; readonly html: Uint8Array };
  readonly deletedPage: { readonly accountId: string; readonly slug: string; readonly deletedAt: Date };
  readonly content: ContentTable;
  readonly release: ReleaseTable;
  readonly releasePage: ReleasePageTable;
  readonly releaseAsset: ReleaseAssetTable;
  readonly asset: AssetTable;
  readonly pageAsset: UseTable<"pageId">;
  readonly postAsset: UseTable<"postId">;
  readonly blogAsset: UseTable<"blogId">;
  readonly brandKitAsset: UseTable<"brandKitId">;
  readonly fileAsset: UseTable<"fileId">;
  readonly unreadText: { readonly kind: AssetUserKind; readonly id: string };
  readonly recordChange: {
    readonly accountId: string;
    readonly kind: string;
    readonly changes: number;
    readonly latestAt: Date;
  };
  readonly blog: BlogTable;
  readonly post: Post;
  readonly previewLink: PreviewLink;
  readonly workingCopy: WorkingCopy;
  readonly formerVersion: FormerVersion;
  readonly idempotentRequest: RequestKey & KeptRequest;
  readonly idempotentRecord: RequestKey & { readonly recordId: string };
  readonly form: FormTable;
  readonly submission: SubmissionTable;
  readonly visitorSalt: { readonly day: number; readonly salt: Uint8Array };
  readonly visitorSeen: {
    readonly scope: string;
    readonly day: number;
    readonly visitor: Uint8Array;
    readonly hour: number;
  };
  readonly visitorCount: { readonly scope: string; readonly hour: number; readonly visitors: number };
  readonly openView: OpenView;
  readonly openVisit: OpenVisit;
  readonly visitDay: VisitTraits & VisitNumbers & { readonly scope: string; readonly day: number };
  readonly visitTotal: VisitNumbers & { readonly scope: string; readonly day: number };
  readonly visitTrait: TraitVisits;
  readonly unsummedVisit: UnsummedVisit;
  readonly dayRoom: DayRoom & { readonly taken: number };
  readonly leftOutDay: LeftOut & { readonly views: number };
  readonly viewHour: Layout & ViewNumbers & { readonly hour: number };
  readonly referrerDay: PageDay & { readonly host: string; readonly views: number };
  readonly viewDay: { readonly scope: string; readonly day: number; readonly device: string; readonly views: number };
  readonly sourceDay: { readonly scope: string; readonly day: number; readonly host: string; readonly views: number };
  readonly uncountedPage: { readonly pageId: string };
  readonly scrollDay: Layout & PageDay & { readonly depth: number; readonly views: number };
  readonly clickCellDay: Layout & PageDay & Omit<Click, "selector"> & { readonly clicks: number };
  readonly clickElementDay: Layout & PageDay & Pick<Click, "selector"> & { readonly clicks: number };
  readonly pageLayout: Layout & { readonly height: number };
  readonly event: StoredEvent;
  readonly webhook: Webhook;
  readonly delivery: DeliveryTable;
  readonly domain: DomainTable;
  readonly domainCertificate: CertificateTable;
  readonly acmeChallenge: Challenge;
  readonly acmeAccount: { readonly directory: string; readonly privateKey: string; readonly createdAt: Date };
  readonly requestLog: LoggedRequest;
  readonly job: {
    readonly name: string;
    readonly dueAt: Date;
    readonly lease: string | null;
    readonly leaseUntil: Date | null;
    readonly lastStartedAt: Date | null;
    readonly lastMs: number | null;
    readonly lastError: string | null;
  };
  readonly rateWindow: { readonly caller: string; readonly endsAt: Date; readonly requests: number };
}

/** The database or a transaction on it. */
export type Database = Kysely<Tables>;
