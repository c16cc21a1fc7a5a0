import * as z from "zod";
import { releaseRecord } from "../../contract/extension-records.ts";
import {
  releaseDiffSchema,
  releaseOpenedSchema,
  releasePublishedSchema,
  releaseStagedSchema,
  releaseStoredSchema,
} from "../../contract/release-parts.ts";
import { createParser } from "./account-records.ts";

// A service may return more than the contract defines.
const loose = <Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>) => z.object(shape);

export const parseRelease = createParser("release", () => releaseRecord.full);
export const parseOpenedRelease = createParser("opened release", () => loose(releaseOpenedSchema()));
export const parsePublishedSmall = createParser("published release", () => loose(releasePublishedSchema()));
export const parseStagedPages = createParser("list of missing content", () =>
  loose(releaseStagedSchema()).partial({ pages: true }),
);
export const parseStoredContent = createParser("list of stored content", () =>
  loose(releaseStoredSchema()).partial({ refused: true }),
);
export const parseReleaseDiff = createParser("comparison of releases", () => loose(releaseDiffSchema()));

/** A complete site as it was, or will be, published at once. */
export interface Release extends ReturnType<typeof parseRelease> {
  /** Whether it is the one that readers see. */
  readonly live: boolean;
  /** Slugs of pages that were edited by hand and that it left unchanged. */
  readonly kept: readonly string[];
}

/** A release that can be filled, with the current or future addresses of its files. */
export interface OpenedRelease extends ReturnType<typeof parseOpenedRelease> {}

/** A release that was published in one request, and the pages of that request as they are now. */
export interface PublishedSmall extends ReturnType<typeof parsePublishedSmall> {}

/** What a release still needs, and pages that it omits because another site has their slugs. */
export interface StagedPages extends ReturnType<typeof parseStagedPages> {}

/** Result of sending a bundle. */
export interface StoredContent extends ReturnType<typeof parseStoredContent> {}

/** Differences between two releases, by slug. */
export interface ReleaseDifference extends ReturnType<typeof parseReleaseDiff> {}
