// Texts that only this browser has, because the service couldn't be reached, or no longer has what they belong to.
import { element } from "./dialogs.ts";
import { fill, say, serialize, type Desk } from "./state.ts";

const KEPT = "Your text is kept in this browser.";
const NOT_KEPT = "This browser can’t keep your text: copy it before you leave this page.";

/** Returns the prefix of the keys under which this browser stores texts of a user or subject, one per window. */
function prefixOf(subject: string): string {
  return `imprint-desk ${subject}`;
}

/** Stores the text in the browser. Returns where it is, as a sentence. */
export function keepLocally(desk: Desk): typeof KEPT | typeof NOT_KEPT {
  const { dataset } = desk.form;
  const place = { path: desk.path, newPath: dataset["new"] };
  try {
    const stored = JSON.stringify([Date.now(), Object.fromEntries(serialize(desk)), place]);
    localStorage.setItem(storageKey(desk), stored);
    return KEPT;
  } catch {
    // The storage is full or disabled.
    return NOT_KEPT;
  }
}

export function forgetLocally(desk: Desk): void {
  localStorage.removeItem(storageKey(desk));
}

function storageKey(desk: Desk): string {
  return `${prefixOf(desk.form.dataset["subject"] ?? "")}\n${desk.windowId}`;
}

/** Stores the text of a deleted post, and says where it is offered again. */
export function sayGone(desk: Desk): void {
  const where = keepLocally(desk);
  const { new: href } = desk.form.dataset;
  if (href === undefined || href === desk.path || where === NOT_KEPT) {
    return say(desk, `This was deleted or renamed: copy your text before you leave this page. ${where}`);
  }
  const link = element("a", { href, target: "_blank", textContent: "New post" });
  return say(desk, `This was deleted or renamed. ${where} `, link, " offers it.");
}

/** Offers texts that only this browser has; a window that is still open stores its own again. */
export function offerLocalTexts(desk: Desk): void {
  const { subject = "" } = desk.form.dataset;
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(`${prefixOf(subject)}\n`)) offerLocalText(desk, key);
    else if (key.startsWith(prefixOf(`${subject.split(" ")[0]} `))) void offerIfGone(desk, key);
  }
}

/** What a new file doesn't take over from a lost one, or not unchanged. */
const NEW_IN_FILE = new Set(["title", "version"]);

/** Offers the text of a post that was deleted, where a new one of its blog is written. */
async function offerIfGone(desk: Desk, key: string): Promise<void> {
  const [, values, place] = JSON.parse(localStorage.getItem(key) ?? "[]");
  if (place === undefined || place.path === desk.path || place.newPath !== desk.form.dataset["new"]) return;
  // The form of a new file sent it, and it is now the unsaved text of that file.
  const shown = serialize(desk);
  const isTaken = Object.keys(values).every((name) => NEW_IN_FILE.has(name) || shown.get(name) === values[name]);
  if (!isTaken && place.newPath !== desk.path) return;
  const status = await fetch(place.path).then(
    (response) => response.status,
    () => 0,
  );
  if (status !== 404) return;
  if (isTaken) localStorage.removeItem(key);
  else offerLocalText(desk, key);
}

function offerLocalText(desk: Desk, key: string): void {
  const stored = localStorage.getItem(key) ?? "[]";
  const [time, values, place] = JSON.parse(stored);
  if (values === undefined) return;
  const drop = () => {
    if (localStorage.getItem(key) === stored) localStorage.removeItem(key);
  };
  if (new URLSearchParams(values).toString() === desk.kept) return drop();
  const bar = element("p", { className: "notice local-text" });
  bar.setAttribute("role", "status");
  const use = element("button", { type: "button", className: "quiet", textContent: "Use it" });
  const discard = element("button", { type: "button", className: "quiet", textContent: "Discard it" });
  const isOfGone = place !== undefined && place.path !== desk.path;
  use.addEventListener("click", () => {
    const { version: _version, ...others } = values;
    fill(desk, isOfGone ? others : values);
    if (keepLocally(desk) === KEPT) drop();
    bar.remove();
  });
  discard.addEventListener("click", () => (drop(), bar.remove()));
  const what = isOfGone ? `the text of “${values.title}”, which was deleted,` : "a text";
  bar.append(`This browser has ${what} from ${new Date(time).toLocaleString()} that was not sent. `, use, " ", discard);
  desk.form.before(bar);
}

/** Continues with another subject: texts of the former one are offered on its own page. */
export function moveLocalTexts(desk: Desk, subject: string): void {
  forgetLocally(desk);
  desk.form.dataset["subject"] = subject;
  for (const offer of document.querySelectorAll(".local-text, #desk-others")) offer.remove();
}
