/**
 * sharp, loaded when the first image needs it: it costs 40 ms that a run without new images should not pay.
 *
 * One thread an image, since several images are worked on at a time, and no cache of decoded images, since none is
 * opened a second time.
 */
export async function loadSharp() {
  const { default: sharp } = await import("sharp");
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}

export type SharpFactory = Awaited<ReturnType<typeof loadSharp>>;
