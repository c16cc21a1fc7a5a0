import type { AssetImportBody } from "../../contract/requests.ts";
import { FetchError } from "../guarded-fetch/fetch-error.ts";
import type { Fetched } from "../guarded-fetch/guarded-fetch.ts";
import type { Context } from "./context.ts";
import { inspectFile, type AcceptedFile } from "./library.ts";
import { ProblemError } from "../http/problem.ts";

const TIMEOUT_MS = 15_000;
const MAX_REDIRECTS = 5;

/**
 * Fetches a file from another host and stores its bytes; the record is made by `addAsset`. Throws `import_refused` for
 * an address that is not public, `import_failed` when there is no file for the library, and `asset_too_large`.
 */
export async function importFile(context: Context, { url, name }: AssetImportBody): Promise<AcceptedFile> {
  const fetched = await fetchFile(context, url);
  if (fetched.status !== 200) {
    throw new ProblemError("import_failed", { detail: `The address answered ${fetched.status}.` });
  }
  const file = { name: name ?? nameOf(fetched.url), bytes: fetched.bytes };
  const accepted = await inspectFile(context, file, "any").catch(refuseFile);
  await context.blobs.write(accepted.hash, file.bytes);
  return accepted;
}

async function fetchFile({ remote, limits }: Context, url: string): Promise<Fetched> {
  try {
    return await remote.fetch(url, {
      maxBytes: limits.maxAssetBytes,
      whenLarger: "refuse",
      timeoutMs: TIMEOUT_MS,
      maxRedirects: MAX_REDIRECTS,
    });
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    const codes = { refused: "import_refused", "too-large": "asset_too_large" } as const;
    const code = error.kind === "refused" || error.kind === "too-large" ? codes[error.kind] : "import_failed";
    throw new ProblemError(code, {
      detail: error.message,
      errors: [{ pointer: "/body/url", detail: error.message }],
      cause: error,
    });
  }
}

// What is wrong with the file is wrong at the address, not with the request.
function refuseFile(error: unknown): never {
  const isAboutFile = error instanceof ProblemError && error.code !== "asset_too_large";
  if (!isAboutFile) throw error;
  throw new ProblemError("import_failed", { detail: error.message, cause: error });
}

function nameOf(url: string): string {
  const last = new URL(url).pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last);
  } catch {
    // A name with a broken escape is as good as any other after it was made safe.
    return last;
  }
}
