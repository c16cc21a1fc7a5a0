// Runs in the preview's frame, which has its own origin: the page around it sends the text during editing. Starts at
// the post, since a site's header with its menu may be higher than the frame.
const PROGRAM = `addEventListener("message", ({ source, data }) => {
  if (source !== parent || typeof data?.html !== "string") return;
  const next = new DOMParser().parseFromString(data.html, "text/html");
  const [shown, wanted] = [document, next].map((each) => each.querySelector("article") ?? each.body);
  shown.replaceChildren(...wanted.childNodes);
});
addEventListener("load", () => {
  const article = document.querySelector("article");
  if (article !== null) scrollBy({ top: article.getBoundingClientRect().top - 16, behavior: "instant" });
});
parent.postMessage("ready", "*");`;

/** Appended to the HTML of a live preview. */
export const LIVE_PREVIEW = `<script>${PROGRAM}</script>`;
