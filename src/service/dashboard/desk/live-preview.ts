// Runs in the preview's frame, which has its own origin: the page around it sends the text during editing. Starts at
// the post, since a site's header with its menu may be higher than the frame. The keyboard passes the preview by: it
// has nothing to change, and its links would be between the text and the settings.
const PROGRAM = `addEventListener("message", ({ source, data }) => {
  if (source !== parent || typeof data?.html !== "string") return;
  const next = new DOMParser().parseFromString(data.html, "text/html");
  const [shown, wanted] = [document, next].map((each) => each.querySelector("article") ?? each.body);
  shown.replaceChildren(...wanted.childNodes);
  skipLinks(shown);
});
const skipLinks = (root) => {
  for (const each of root.querySelectorAll("*")) {
    if (each.matches("a, button, summary, pre, audio, video, iframe")) each.tabIndex = -1;
    if (each.shadowRoot !== null) skipLinks(each.shadowRoot);
  }
};
addEventListener("load", () => {
  skipLinks(document);
  const article = document.querySelector("article");
  if (article !== null) scrollBy({ top: article.getBoundingClientRect().top - 16, behavior: "instant" });
});
parent.postMessage("ready", "*");`;

/** Appended to the HTML of a live preview. */
export const LIVE_PREVIEW = `<script>${PROGRAM}</script>`;
