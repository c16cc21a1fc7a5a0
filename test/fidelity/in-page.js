// Runs inside every page that the suite opens, before the page's own scripts: what has to be asked of the document.
globalThis.fidelity = (() => {
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

  // Waiting happens here and not in Playwright's `waitForFunction`, whose later polls a content security policy refuses.
  async function until(isReached, timeoutMs) {
    const end = performance.now() + timeoutMs;
    while (!isReached() && performance.now() < end) await nextFrame();
    return isReached();
  }

  /** Goes through the page as a reader would, so that lazy images and islands wake up. */
  async function scrollThrough() {
    for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight / 2) {
      scrollTo(0, top);
      await nextFrame();
      await nextFrame();
    }
    scrollTo(0, 0);
  }

  /** Islands that did not hydrate: Astro then takes `ssr` away. One whose media query does not match may sleep on. */
  function sleepingIslands() {
    return [...document.querySelectorAll("astro-island[ssr]")]
      .filter((island) => {
        const isMedia = island.getAttribute("client") === "media";
        return !isMedia || matchMedia(JSON.parse(island.getAttribute("opts")).value).matches;
      })
      .map((island) => `island ${island.getAttribute("component-url")}`);
  }

  /** Waits until every island is awake; answers those that are not. */
  async function wakeIslands(timeoutMs) {
    await until(() => sleepingIslands().length === 0, timeoutMs);
    return sleepingIslands();
  }

  /** Waits for the fonts and the images; answers the images that can't be shown. */
  async function undecodedImages() {
    await document.fonts.ready;
    const images = [...document.images].filter((image) => image.checkVisibility());
    // A busy browser takes a picture of the page before it paints those that are decoded asynchronously.
    for (const image of images) image.decoding = "sync";
    const isShown = await Promise.all(
      images.map((image) =>
        image.decode().then(
          () => true,
          () => false,
        ),
      ),
    );
    return images.filter((_, index) => !isShown[index]).map((image) => `image ${image.getAttribute("src")}`);
  }

  function links() {
    return [...document.querySelectorAll("a[href]")].map((anchor) => ({
      href: anchor.getAttribute("href"),
      address: anchor.href,
    }));
  }

  /** Addresses in the head that are read by machines, with what they stand for. */
  function headAddresses() {
    const links = [...document.querySelectorAll("link[rel=canonical], link[rel=alternate][hreflang]")];
    const metas = [...document.querySelectorAll('meta[property="og:url"], meta[property="og:image"]')];
    return [
      ...links.map((link) => ({
        name: link.hreflang ? `hreflang ${link.hreflang}` : link.rel,
        address: link.getAttribute("href"),
      })),
      ...metas.map((meta) => ({ name: meta.getAttribute("property"), address: meta.content })),
    ];
  }

  /** Text of every island and of every element with a `data-testid`. */
  function texts() {
    return [...document.querySelectorAll("astro-island, [data-testid]")].map(
      (element) => `${element.getAttribute("data-testid") ?? element.localName}: ${element.textContent}`,
    );
  }

  /** The texts once they stay the same for some frames: islands of several frameworks follow a store one by one. */
  async function calmTexts() {
    let seen = texts().join("\n");
    for (let calmFrames = 0; calmFrames < 4; calmFrames += 1) {
      await nextFrame();
      const current = texts().join("\n");
      if (current !== seen) calmFrames = 0;
      seen = current;
    }
    return seen.split("\n");
  }

  /** Waits until the texts are other than these; answers whether they became it. */
  function hasChanged(earlier, timeoutMs) {
    return until(() => texts().join("\n") !== earlier, timeoutMs);
  }

  return { scrollThrough, wakeIslands, undecodedImages, links, headAddresses, calmTexts, hasChanged };
})();
