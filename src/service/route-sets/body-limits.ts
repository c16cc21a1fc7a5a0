import type { Limits } from "../../contract/limits.ts";
import type { Route } from "../../contract/route.ts";
import type { BodyLimit } from "./read-body.ts";

// What the other parts of a multipart body, their headers and boundaries may add to the file.
const MULTIPART_ALLOWANCE = 64 * 1024;

// An upload of several images is held in memory whole, so it may have no more than a few files of full size.
const MAX_FULL_FILES = 4;

/** How large the body of a route may be, and which problem a larger one is. */
export function bodyLimitOf({ operation, body }: Route, limits: Limits): BodyLimit {
  switch (operation) {
    case "pages.put":
    case "pages.create":
      return { maxBytes: limits.maxJsonBodyBytes, code: "page_too_large" };
    case "posts.create":
    case "posts.patch":
      return { maxBytes: limits.maxJsonBodyBytes, code: "post_too_large" };
    case "assets.upload":
      return { maxBytes: limits.maxAssetBytes + MULTIPART_ALLOWANCE, code: "asset_too_large" };
    case "assets.uploadImages":
      return { maxBytes: MAX_FULL_FILES * limits.maxAssetBytes + MULTIPART_ALLOWANCE, code: "asset_too_large" };
    default:
      return {
        maxBytes: body?.kind === "form" ? limits.maxFormBytes : limits.maxJsonBodyBytes,
        code: "body_too_large",
      };
  }
}
