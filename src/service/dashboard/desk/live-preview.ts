// Runs in the frame of a preview, which has an origin of its own: the page around it sends the text as it is written.
const PROGRAM = `addEventListener("message", ({ source, data }) => {
  if (source !== parent || typeof data?.html !== "string") return;
  const next = new DOMParser().parseFromString(data.html, "text/html");
  const [shown, wanted] = [document, next].map((each) => each.querySelector("article") ?? each.body);
  shown.replaceChildren(...wanted.childNodes);
});
parent.postMessage("ready", "*");`;

/** What follows the HTML of a preview that is kept up to date. */
export const LIVE_PREVIEW = `<script>${PROGRAM}</script>`;
