import { join } from "node:path";
import { sizeOf } from "../base/bytes.ts";
import { ImprintError, messageOf } from "../base/error.ts";
import { mapPool } from "../base/pool.ts";
import type { Logger } from "../base/log.ts";
import type { Options } from "../options/schema.ts";
import { createImageOptimizer, passThrough } from "../site/images/optimize-image.ts";
import type { SiteAsset } from "../site/model.ts";
import type { PreparedAsset } from "./apply.ts";
import type { AssetChange } from "./changes.ts";
import { isTooLargeToInline } from "./plan/assets.ts";
import type { OnStep } from "./run.ts";

// The optimizer itself limits how many images it processes at a time.
const FILES_AT_ONCE = 16;

export interface PrepareContext {
  readonly projectRoot: string;
  readonly options: Options;
  readonly logger: Logger;
  /** Stops the work between two files. */
  readonly signal?: AbortSignal | undefined;
  readonly onStep?: OnStep;
}

/** An asset that can't be sent, and why. */
export interface AssetFailure {
  readonly asset: SiteAsset;
  readonly error: ImprintError;
}

/**
 * Re-encodes the images of a plan before the first file is sent, so that a broken one stops the run before it changes
 * anything. The results stay on disk; the returned functions read them from there, one at a time.
 */
export async function prepareEach(
  changes: readonly AssetChange[],
  { projectRoot, options, logger, signal, onStep }: PrepareContext,
): Promise<{
  readonly prepare: (asset: SiteAsset) => Promise<PreparedAsset>;
  /** Whether an asset is sent unchanged. */
  readonly isSentAsIs: (asset: SiteAsset) => boolean;
  readonly failures: readonly AssetFailure[];
}> {
  const { optimize } = options.images;
  const optimizer = openOptimizer({ projectRoot, options, logger });
  const isReencoded = (asset: SiteAsset) => optimize && optimizer.isReencoded(asset);
  const prepare = (asset: SiteAsset): Promise<PreparedAsset> =>
    optimize ? optimizer.optimize(asset) : passThrough(asset);
  const images = changes.filter(({ kind, asset }) => kind === "create" && isReencoded(asset));
  const failures: AssetFailure[] = [];
  let done = 0;
  await mapPool(images, FILES_AT_ONCE, async ({ asset }) => {
    if (signal?.aborted === true) throw new ImprintError("ABORTED", "Nothing was sent yet.");
    await optimizer.makeReady(asset).catch((reason: unknown) => failures.push({ asset, error: asError(reason) }));
    done += 1;
    onStep?.({ kind: "images", count: { done, total: images.length } });
  });
  return { prepare, isSentAsIs: (asset) => !isReencoded(asset), failures };
}

function openOptimizer({
  projectRoot,
  options,
  logger,
}: Pick<PrepareContext, "projectRoot" | "options" | "logger">): ReturnType<typeof createImageOptimizer> {
  const { formats } = options.images;
  return createImageOptimizer({ cacheDir: join(projectRoot, ".imprint", "images"), formats, logger });
}

/** Returns the sizes of large images that the library doesn't accept, as they would be sent, by hash. */
export async function measureRefused(
  changes: readonly AssetChange[],
  context: Omit<PrepareContext, "onStep">,
): Promise<ReadonlyMap<string, number>> {
  const optimizer = openOptimizer(context);
  const refused = changes.filter(({ kind, asset }) => kind === "blocked" && isTooLargeToInline(asset));
  const images = context.options.images.optimize ? refused.filter(({ asset }) => optimizer.isReencoded(asset)) : [];
  const sizes = await mapPool(images, FILES_AT_ONCE, async ({ asset }) => {
    if (context.signal?.aborted === true) throw new ImprintError("ABORTED", "Nothing was sent yet.");
    // A broken image is left out like one that stays large.
    const sent = await optimizer.optimize(asset).catch(() => undefined);
    return sent === undefined ? [] : [[asset.hash, sizeOf(sent.bytes)] as const];
  });
  return new Map(sizes.flat());
}

function asError(reason: unknown): ImprintError {
  if (reason instanceof ImprintError) return reason;
  return new ImprintError("IMAGE_BROKEN", messageOf(reason), { cause: reason });
}

/** Throws one error that lists all failures, if there are any. */
export function throwFailures(failures: readonly AssetFailure[]): void {
  const errors = failures.map(({ error }) => error);
  const [first] = errors;
  if (first === undefined) return;
  if (errors.length === 1) throw first;
  throw new ImprintError(first.code, errors.map((error) => error.message).join("\n"), { hint: first.hint });
}
