// Runs in the published page before its own scripts. Redirects what scripts do with the site's own addresses (navigate,
// fetch, start workers, add links, images, and frames to the page) to the published pages and files. Other addresses
// are left unchanged. The map is a separate element in the page, so this text is the same on every page.
(() => {
  // In browsers from before 2024, the page keeps its default behavior.
  if (self.imprintPath || !URL.parse) return;
  const { document, location, history, navigation } = self;
  // In `srcdoc`, the location has no origin, but the base address does.
  const { origin: here } = new URL(location.origin === "null" ? document.baseURI : location);
  const element = () => document.querySelector("script[data-imprint-map]");
  let read = {};
  let readFrom;
  let shownAt;

  /** The map of the page being shown; a client router may have replaced the page. */
  function map() {
    const now = element();
    if (now && now !== readFrom) {
      readFrom = now;
      shownAt = location.pathname;
      read = JSON.parse(now.textContent);
    }
    return read;
  }

  /** The address at which a page or file of the site is published; `undefined` for any other address. */
  function find(address) {
    const { at, base = at, origin, root, slugs, files, folders, before, after, prefix } = map();
    const url = at && URL.parse(address, here + base);
    if (!url || (url.origin !== here && url.origin !== origin) || !url.protocol.startsWith("http")) return undefined;
    const path = safeDecode(url.pathname);
    const rooted = path.startsWith(root) ? path.slice(root.length) : path.slice(1);
    if (Object.hasOwn(files, rooted)) return files[rooted];
    if (before !== "/" && path.startsWith(before)) return undefined;
    const name = rooted.replace(/(^|\/)index\.html$/, "$1").replace(/\.html$|\/$/, "");
    const isNamed = /^[a-z0-9]+([-/][a-z0-9]+)*$/.test(name) && (!folders || folders.includes(name.split("/")[0]));
    const slug = Object.hasOwn(slugs, name) ? slugs[name] : isNamed && prefix + name.replaceAll("/", "-");
    return slug ? before + slug + after + url.search + url.hash : undefined;
  }

  function safeDecode(path) {
    try {
      return decodeURIComponent(path);
    } catch {
      return path;
    }
  }

  // An empty address leads nowhere, although it would resolve to the page's own, and a fragment keeps the query.
  const place = (address) => (address && !`${address}`.startsWith("#") && find(address)) || address;
  const placeIn = (name, value) => (name === "srcset" ? `${value}`.replace(/[^\s,]*\/[^\s,]*/g, place) : place(value));

  /** Corrects an element's page or file address if a script set the original one. */
  function repair(target, name) {
    const written = target.getAttribute?.(name);
    const published = written && placeIn(name, written);
    if (published !== written) target.setAttribute(name, name === "href" ? openable(published) : published);
  }

  for (const type of ["click", "auxclick", "contextmenu", "focusin", "mouseover"]) {
    document.addEventListener(
      type,
      (event) => repair(event.composedPath()[0].closest?.("a[href],area[href]") ?? {}, "href"),
      true,
    );
  }

  /** Browsers don't open a `data:` address in a window of its own. */
  function openable(address) {
    if (!`${address}`.startsWith("data:")) return address;
    const [head] = address.split(",", 1);
    const text = address.slice(head.length + 1);
    const bytes = head.endsWith(";base64")
      ? Uint8Array.from(atob(text), (each) => each.charCodeAt(0))
      : decodeURIComponent(text);
    return URL.createObjectURL(new Blob([bytes], { type: head.slice(5) }));
  }

  // Elements that load as soon as their address is set, and the same set through markup.
  const LOADS =
    "Script src,Image src,Image srcset,Source srcset,IFrame src,Embed src,Media src,Video poster,Link href,Object data";
  for (const load of LOADS.split(",")) {
    const [type, name] = load.split(" ");
    const { prototype } = self[`HTML${type}Element`];
    const property = Object.getOwnPropertyDescriptor(prototype, name);
    const { setAttribute } = prototype;
    Object.defineProperty(prototype, name, {
      ...property,
      set(address) {
        property.set.call(this, placeIn(name, address));
      },
    });
    prototype.setAttribute = function (key, value) {
      setAttribute.call(this, key, key === name ? placeIn(name, value) : value);
    };
  }
  const observer = new MutationObserver((records) => {
    for (const { addedNodes } of records)
      for (const node of addedNodes) {
        if (node.shadowRoot) watch(node.shadowRoot);
        for (const name of ["src", "srcset", "poster", "data"])
          for (const each of [node, ...(node.querySelectorAll?.(`[${name}]`) ?? [])]) repair(each, name);
      }
  });
  const watch = (root) => {
    observer.observe(root, { subtree: true, childList: true });
    return root;
  };
  // A shadow tree must be observed separately.
  const { prototype } = Element;
  const { attachShadow } = prototype;
  prototype.attachShadow = function (options) {
    return watch(attachShadow.call(this, options));
  };
  watch(document);
  document.addEventListener(
    "submit",
    ({ target, submitter }) => {
      if ((submitter?.getAttribute("formmethod") ?? target.method) === "post") return;
      repair(target, "action");
      repair(submitter ?? {}, "formaction");
    },
    true,
  );

  for (const name of ["pushState", "replaceState"]) {
    const original = history[name];
    history[name] = function (state, title, address) {
      return original.call(this, state, title, place(address));
    };
  }
  const { open } = self;
  self.open = function (address, ...rest) {
    return open.call(this ?? self, openable(place(address)), ...rest);
  };

  navigation?.addEventListener("navigate", (event) => {
    const { navigationType: type, destination, cancelable, hashChange, formData, downloadRequest } = event;
    if (!cancelable || hashChange || formData || downloadRequest !== null || !/^(push|replace)$/.test(type)) return;
    const published = find(destination.url);
    if (!published || new URL(published, here).href === destination.url) return;
    event.preventDefault();
    location[type === "push" ? "assign" : "replace"](openable(published));
  });

  const { fetch } = self;
  self.fetch = function (input, options) {
    const isRequest = input instanceof Request;
    const published = find(isRequest ? input.url : input);
    if (!published) return fetch.call(self, input, options);
    // A file on another host is requested without what would be sent only to the site's own host.
    if (isForeign(published)) return fetch.call(self, published, { signal: (options ?? input).signal });
    return fetch.call(self, isRequest ? new Request(published, input) : published, options);
  };
  const { open: openRequest } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.open = function (method, address, ...rest) {
    return openRequest.call(this, method, place(address), ...rest);
  };
  const isForeign = (address) => URL.parse(address, here)?.origin !== here;

  for (const name of ["EventSource", "Worker", "SharedWorker"]) {
    const Original = self[name];
    if (Original) {
      self[name] = class extends Original {
        constructor(address, options) {
          super(start(name, place(address), options), options);
        }
      };
    }
  }

  const DATA = "data:text/javascript;charset=utf-8,";

  /**
   * Browsers don't start a worker from another host, only one that loads such a script. If its text is available, it
   * becomes a worker of this host with access to its storage; tabs can share one only by an address that all of them
   * know.
   */
  function start(name, address, options) {
    const { href, protocol } = URL.parse(address, here) ?? {};
    if (name === "EventSource" || !href || !isForeign(href)) return address;
    const text = JSON.stringify(href);
    let script;
    if (protocol.startsWith("http")) script = options?.type === "module" ? `import ${text}` : `importScripts(${text})`;
    else if (href.startsWith(DATA)) script = decodeURIComponent(href.slice(DATA.length));
    else return address;
    if (name === "SharedWorker") return DATA + encodeURIComponent(script);
    return URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  }

  const { serviceWorker } = navigator;
  if (serviceWorker) serviceWorker.register = () => new Promise(() => {});

  /** The path of the page on the site's own host, or what its relative addresses are relative to. */
  self.imprintPath = (isBase) => {
    const { at, base } = map();
    const { pathname } = location;
    // A client router sets it after the page.
    const isShown = pathname === shownAt || pathname === find(at);
    return (isShown && ((isBase && base) || at)) || pathname;
  };
})();
