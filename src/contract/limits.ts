const MEBIBYTE = 1024 * 1024;

/**
 * Limits of one account of our service. The specification defines none; the client reads the current ones from
 * `GET /api/account` if the service has it, and assumes these otherwise.
 */
export const LIMITS = {
  maxPageBytes: 5 * MEBIBYTE,
  maxAssetBytes: 25 * MEBIBYTE,
  maxImagePixels: 50_000_000,
  maxBundleBytes: 26 * MEBIBYTE,
  maxPostBytes: 1 * MEBIBYTE,
  maxJsonBodyBytes: 6 * MEBIBYTE,
  maxFormBytes: 64 * 1024,
  maxFormFields: 50,
  maxTitleLength: 200,
  maxTagsPerPost: 20,
  maxPages: 10_000,
  maxSites: 100,
  maxDomains: 100,
  maxKeys: 100,
  maxUsers: 500,
  maxWebhooks: 20,
  maxListLimit: 100,
  defaultListLimit: 50,
} as const;

// For the headers and the end of an archive that contains the largest file.
const BUNDLE_ALLOWANCE = 64 * 1024;

/** Returns the size of the largest file that a release accepts in a bundle, in bytes. */
export function maxBundledBytes({ maxAssetBytes = Infinity, maxBundleBytes = Infinity }: Partial<Limits>): number {
  return Math.min(maxAssetBytes, maxBundleBytes - BUNDLE_ALLOWANCE);
}

export type Limits = { readonly [Name in keyof typeof LIMITS]: number };

export const USUAL_PAGE_SIZES: ReadonlySet<number> = new Set([
  10, 12, 15, 20, 24, 25, 30, 40, 50, 100, 200, 250, 500, 1000,
]);
