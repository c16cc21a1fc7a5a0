// Precedes Pagefind in its published module. Requests by Pagefind for files below its old folder, or of another index
// of the site, are served from the page that contains them: the file itself, or its address in the library. That page
// is read on a reader's first search. Pages that search reference only its address, so that a new index doesn't change
// them.
self.imprintSearch ??= ({ at, folder, origin }) => {
  const { imprintSearch: kept, location } = self;

  async function read() {
    const response = await self.fetch(at);
    if (!response.ok) throw new Error(`${response.status} fetching ${at}`);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    return JSON.parse(page.querySelector("script[data-imprint-search]").textContent);
  }

  function forget(error) {
    delete kept[at];
    throw error;
  }

  const files = () => (kept[at] ??= read().catch(forget));

  /** Replaces the browser's own `fetch` in Pagefind. */
  async function fetch(input, options) {
    const url = new URL(input, location.href);
    const isOwn = url.origin === location.origin || url.origin === origin;
    const path = decodeURI(url.pathname);
    const file = isOwn ? (await files())[path.startsWith(folder) ? path.slice(folder.length) : path] : undefined;
    if (file?.startsWith("pagefind_dcd")) return new Response(file);
    if (!file?.startsWith("data:")) return self.fetch(file ?? input, options);
    // Content security policies rarely allow fetching a `data:` address.
    return new Response(Uint8Array.from(atob(file.slice(file.indexOf(",") + 1)), (letter) => letter.charCodeAt(0)));
  }

  // Without workers, Pagefind searches in the page itself, where its files are available.
  return { fetch, Worker: undefined, files };
};
