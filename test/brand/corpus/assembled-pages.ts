/** Building blocks of a page from a framework's documentation. */
export interface PageKit {
  /** Style sheets in the package. */
  readonly styles: readonly string[];
  /** Additional head elements from the documentation: web fonts, `theme-color`. */
  readonly head?: string;
  readonly htmlAttributes?: string;
  readonly bodyAttributes?: string;
  /** The site's header. `mark` is the logo image, or the site's name if the documentation uses text. */
  readonly header: (mark: string) => string;
  readonly hero: (content: { readonly title: string; readonly lead: string }) => string;
  /** Wraps the content. */
  readonly main: (content: string) => string;
  readonly form: string;
  readonly footer: string;
}

const NAME = "Tidewater";
const PICTURE = `<img src="/brand/mark.svg" alt="${NAME}" width="120" height="32">`;

/** Assembles a small site: home with a hero, about with images of others, an article with links and code. */
export function assemblePages(
  kit: PageKit,
  options: { readonly logo: "picture" | "text" },
): ReadonlyMap<string, string> {
  const mark = options.logo === "picture" ? PICTURE : NAME;
  const page = (title: string, content: string): string => renderPage(kit, { title, content, mark });
  return new Map([
    ["/", page("Home", `${kit.hero({ title: "Measure the tide", lead: LEAD })}${kit.main(INTRODUCTION + CUSTOMERS)}`)],
    ["/about/", page("About", kit.main(ABOUT + kit.form))],
    ["/notes/first/", page("First note", kit.main(ARTICLE))],
  ]);
}

function renderPage(
  { styles, head = "", htmlAttributes = "", bodyAttributes = "", header, footer }: PageKit,
  { title, content, mark }: { readonly title: string; readonly content: string; readonly mark: string },
): string {
  const links = styles.map((path) => `<link rel="stylesheet" href="/${path}">`).join("\n");
  return `<!doctype html>
<html lang="en" ${htmlAttributes}>
<head><meta charset="utf-8"><title>${title} | ${NAME}</title>${head}${links}</head>
<body ${bodyAttributes}>${header(mark)}${content}${footer}</body>
</html>`;
}

/** Renders a form with one field and the framework's button. */
export function renderForm(button: string, fieldClass = ""): string {
  return `<form action="/send" method="post"><label>Name <input name="name" class="${fieldClass}"></label>${button}</form>`;
}

const LEAD = "Small stations along the coast tell you when the water comes, and how high it will be.";

const INTRODUCTION = `<h2>What it does</h2>
<p>Each station writes a value a minute. Read <a href="/notes/first/">the first note</a> to see how, or
<a href="/about/">who we are</a>. All of it is open: take the data and do something good with it.</p>
<ul><li>A station costs less than a bicycle.</li><li>It runs <a href="/notes/first/">a year on a battery</a>.</li></ul>`;

const CUSTOMERS = `<section class="customers"><h2>Used by</h2><div class="logos">
<a href="https://northwind.example/"><img src="/pictures/northwind-logo.svg" alt="Northwind logo"></a>
<img class="logo" src="/pictures/contoso-logo.svg" alt="Contoso logo"></div></section>`;

const ABOUT = `<h1>About us</h1><p>We are three people and a boat. Write to <a href="mailto:we@tidewater.example">us</a>,
we answer within the week unless the sea is calm.</p>
<figure><img class="avatar" src="/pictures/person.svg" alt="Ada at the helm"><figcaption>Ada at the helm</figcaption></figure>`;

const ARTICLE = `<article><h1>The first note</h1><p>The gauge is a float in a pipe, as it was
<a href="/about/">two hundred years ago</a>. What is new is that it <strong>talks</strong>.</p>
<h2>How to read it</h2><p>Ask for the last hour with <code>curl</code> and you get a line a minute.</p>
<pre><code>GET /stations/3/values?hours=1</code></pre>
<blockquote><p>The sea is honest, the float is not always.</p></blockquote>
<p>More in <a href="/">the list of stations</a>.</p></article>`;
