import * as z from "zod";
import { releaseRecord } from "../../contract/extension-records.ts";
import {
  releaseDiffSchema,
  releaseOpenedSchema,
  releaseStagedSchema,
  releaseStoredSchema,
} from "../../contract/release-parts.ts";
import { createParser } from "./account-records.ts";

// A service may say more than the contract does.
const loose = <Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>) => z.object(shape);

export const parseRelease = createParser("release", () => releaseRecord.full);
export const parseOpenedRelease = createParser("opened release", () => loose(releaseOpenedSchema()));
export const parseStagedPages = createParser("list of missing content", () =>
  loose(releaseStagedSchema()).partial({ pages: true }),
);
export const parseStoredContent = createParser("list of stored content", () =>
  loose(releaseStoredSchema()).partial({ refused: true }),
);
export const parseReleaseDiff = createParser("comparison of releases", () => loose(releaseDiffSchema()));

/** A whole site as it was published at once, or is about to be. */
export interface Release extends ReturnType<typeof parseRelease> {
  /** Whether readers see this one. */
  readonly live: boolean;
  /** Slugs of pages that somebody edited by hand, and that it left as they are. */
  readonly kept: readonly string[];
}

/** A release that can be filled, with the addresses that its files have or will have. */
export interface OpenedRelease extends ReturnType<typeof parseOpenedRelease> {}

/** What a release still needs, and pages that it leaves out because another site has their slugs. */
export interface StagedPages extends ReturnType<typeof parseStagedPages> {}

/** What became of a bundle. */
export interface StoredContent extends ReturnType<typeof parseStoredContent> {}

/** How two releases differ, by slug. */
export interface ReleaseDifference extends ReturnType<typeof parseReleaseDiff> {}
