import { appHeaders, renderBare } from "./bare-page.tsx";

/** Renders the page for people who follow a wrong link to the app's host, signed in or not. */
export function renderUnknownPath(path: string, pagesUrl: string): Response {
  return renderBare(
    <>
      <h1>Not found</h1>
      <p>
        Nothing is at <code>{path}</code>. The link may be wrong, or what it led to was moved.
      </p>
      <p>
        <a href="/">Open the dashboard</a>
      </p>
      <p class="soft">
        Published pages are at <a href={pagesUrl}>{new URL(pagesUrl).host}</a>.
      </p>
    </>,
    { title: "Not found", status: 404, headers: appHeaders(pagesUrl) },
  );
}
