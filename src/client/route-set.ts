import type { OperationName } from "../contract/operations.ts";
import type { CallOptions, Page, PageCreateOptions, PageInput, WriteOptions } from "./api.ts";

/** What the two route sets do differently. Everything else is the same request in another place. */
export interface RouteSetCalls {
  readHtml(slug: string, options?: CallOptions): Promise<string | undefined>;
  createPage(page: PageInput, options?: PageCreateOptions): Promise<Page>;
  updatePage(page: PageInput, options?: WriteOptions): Promise<Page>;
  /** A partial change in route set A, the whole site in route set B. */
  readonly siteUpdate: OperationName;
  readonly assetUpload: OperationName;
}
