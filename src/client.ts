// The entry `astro-imprint/client`: a typed client for both route sets of the service.

export { connect, detectRouteSet } from "./client/connect.ts";
export { createClient } from "./client/connect.ts";
export { ImprintError } from "./base/error.ts";
export { verifyWebhook } from "./client/verify-webhook.ts";
export type { VerifyWebhookOptions, WebhookMessage } from "./client/verify-webhook.ts";
export { failureOf, outcomeOf, RequestFailure } from "./client/transport/outcome.ts";
export type {
  Asset,
  AssetDeleteOptions,
  AssetInput,
  AssetsQuery,
  Blog,
  BrandKit,
  CallOptions,
  Capabilities,
  CreateOptions,
  ImprintApi,
  Listing,
  OperationRequest,
  OperationResponse,
  Page,
  PageCreateOptions,
  PageInput,
  PageUpdateOptions,
  PagesQuery,
  Post,
  PostsListOptions,
  PreviewLinkRequest,
  Site,
  SiteDeleteOptions,
  Visit,
  WriteOptions,
} from "./client/api.ts";
export type {
  ApiKey,
  DeliveryInfo,
  EventInfo,
  NewApiKey,
  PreviewLink,
  SignInLink,
  WebhookInfo,
} from "./client/records/account-records.ts";
export type { CustomDomain, DnsRecord } from "./client/records/records.ts";
export type {
  Form,
  FormField,
  Heatmap,
  PageAnalytics,
  PageStats,
  ScrollDepth,
  Submission,
} from "./client/records/visitor-records.ts";
export type {
  DomainChange,
  DomainsApi,
  EventsApi,
  KeysApi,
  RecentOptions,
  WebhooksApi,
} from "./client/resources/account.ts";
export type {
  AnalyticsApi,
  FormsApi,
  LayoutQuery,
  SubmissionListing,
  SubmissionsApi,
} from "./client/resources/visitors.ts";
export type { DayRange, SubmissionFilter, SubmissionsQuery } from "./client/resources/submission-filters.ts";
export type {
  ReleaseContentOptions,
  ReleasePublishOptions,
  ReleaseRollbackOptions,
  ReleasesApi,
  ReleasesQuery,
} from "./client/resources/releases.ts";
export type {
  OpenedRelease,
  Release,
  ReleaseDifference,
  StagedPages,
  StoredContent,
} from "./client/records/release-records.ts";
export type { BundleEncoding, ReleaseContent } from "./client/releases/bundle.ts";
export type { ReleaseOpenBody, ReleasePagesBody } from "./contract/operations/releases.ts";
export type { ClientOptions, ConnectionOptions, ConnectOptions, RequestEvent } from "./client/options.ts";
export type { RequestFacts, RequestOutcome, RequestStage } from "./client/transport/outcome.ts";
export type { ErrorCode } from "./base/error.ts";
export type { ErrorLocation, ImprintErrorOptions } from "./base/error.ts";
export type { Logger } from "./base/log.ts";
export type { Dialect } from "./contract/dialect.ts";
export type { OperationName } from "./contract/operations.ts";
export type { Account, EventType } from "./contract/extension-records.ts";
export type { BrandColor, BrandFont, BrandLogo } from "./contract/brand-parts.ts";
export type { KeyCreateBody, WebhookCreateBody, WebhookPatchBody } from "./contract/operations/account.ts";
export type { BlogCreateBody, PostCreateBody, PostPatchBody } from "./contract/operations/blogs.ts";
export type { BrandKitBody, BrandKitExtractBody, SiteCreateBody } from "./contract/operations/content.ts";
export type { AssetImportBody, AssetPatchBody } from "./contract/operations/library.ts";
export type { Scope } from "./contract/scopes.ts";
export type { RouteSetName } from "./contract/route.ts";
