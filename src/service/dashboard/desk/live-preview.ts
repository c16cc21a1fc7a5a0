// Runs in the frame of a preview, which has an origin of its own: the page around it sends the text as it is written.
// It begins with the post, since the header of a site with its menu may be higher than the frame.
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

/** What follows the HTML of a preview that is kept up to date. */
export const LIVE_PREVIEW = `<script>${PROGRAM}</script>`;
