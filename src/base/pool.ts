/**
 * Runs `work` for every item, at most `concurrency` at a time, and returns the results in the order of the items. After
 * the first error no further items start; it is thrown once the running ones have ended.
 */
export async function mapPool<Item, Result>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const entries = items.entries();
  let failure: { readonly error: unknown } | undefined;

  async function runWorker(): Promise<void> {
    for (const [index, item] of entries) {
      if (failure !== undefined) return;
      try {
        results[index] = await work(item, index);
      } catch (error) {
        failure ??= { error };
      }
    }
  }

  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, runWorker));
  if (failure !== undefined) throw failure.error;
  return results;
}
