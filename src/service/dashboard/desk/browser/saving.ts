import { askInDialog, element } from "./dialogs.ts";
import { forgetLocally, keepLocally, moveLocalTexts, sayGone } from "./local-texts.ts";
import {
  fill,
  problemOf,
  randomId,
  readJson,
  say,
  send,
  serialize,
  showErrors,
  asksToSignIn,
  signInLink,
  type SendResult,
  type Desk,
  type Values,
} from "./state.ts";

type SaveResult =
  | {
      readonly kind: "saved";
      readonly path: string;
      readonly action: string;
      readonly version: string;
      readonly subject: string;
      readonly shown?: Shown;
      readonly set?: Values;
    }
  | { readonly kind: "refused"; readonly problem?: string; readonly errors: Values }
  | {
      readonly kind: "conflict";
      readonly version: string;
      readonly html: string;
      readonly merged: Values;
      readonly theirs: Values;
    }
  /** It was deleted. */
  | { readonly kind: "gone" }
  | { readonly kind: "unsaved"; readonly answer: SendResult };

/** Who sees a saved post. */
type Shown =
  | { readonly kind: "draft" }
  | { readonly kind: "scheduled"; readonly from: string }
  | { readonly kind: "public"; readonly url: string };

const RETRY_MS = 5000;

/** Stores the text on the service, after pending saves and any save that may not have arrived. */
export function autosave(desk: Desk): Promise<unknown> {
  return queue(desk, () => autosaveOnce(desk));
}

async function autosaveOnce(desk: Desk): Promise<void> {
  if (desk.unanswered !== undefined && !(await settle(desk, desk.unanswered))) return;
  const values = serialize(desk);
  if (values.toString() === desk.kept) return;
  const answer = await send(`${desk.path}/autosave`, withCopy(desk, values));
  if (typeof answer !== "string" && answer.status === 204) {
    desk.kept = values.toString();
    recordKept(desk, desk.nextCopy);
    forgetLocally(desk);
    say(desk, desk.kept === desk.saved ? "Saved" : `Unsaved changes, kept at ${clock()}`);
    return;
  }
  await keepAndRetry(desk, answer);
}

async function keepAndRetry(desk: Desk, answer: SendResult): Promise<void> {
  await sayTrouble(desk, answer);
  clearTimeout(desk.autosaveTimer);
  // Signing in again triggers a save, see `listen`; other errors stay until something changes.
  const isPassing =
    answer === "offline" || (answer !== "signed-out" && (answer.status === 429 || answer.status >= 500));
  if (isPassing) desk.autosaveTimer = setTimeout(() => void autosave(desk), RETRY_MS);
}

function withCopy(desk: Desk, values: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...values, ["copy", desk.copy.value], ["nextCopy", desk.nextCopy]]);
}

function recordKept(desk: Desk, copy: string): void {
  desk.copy.value = copy;
  desk.nextCopy = randomId();
  // The URL may contain the id of the opened text, which a reload would request again.
  if (location.search !== "") history.replaceState(null, "", location.pathname);
}

export function save(desk: Desk): Promise<unknown> {
  return queue(desk, () => saveOnce(desk));
}

// Requests of a page run in order, each with the version and copy that the previous one returned.
function queue(desk: Desk, act: () => Promise<void>): Promise<unknown> {
  const done = desk.saving.then(act);
  // The next one runs regardless of this one's result.
  desk.saving = done.catch(() => undefined);
  return done;
}

async function saveOnce(desk: Desk): Promise<void> {
  if (!desk.form.reportValidity()) return;
  clearTimeout(desk.autosaveTimer);
  say(desk, "Saving…");
  // It is unknown whether the last save arrived; repeating it unchanged causes no conflict.
  if (desk.unanswered !== undefined && !(await settle(desk, desk.unanswered))) return;
  await settle(desk, serialize(desk));
}

async function settle(desk: Desk, values: URLSearchParams): Promise<boolean> {
  desk.unanswered = values;
  values.set("version", desk.version.value);
  const answer = await ask(desk, withCopy(desk, values));
  if (answer.kind === "unsaved") {
    await keepAndRetry(desk, answer.answer);
    return false;
  }
  desk.unanswered = undefined;
  if (answer.kind === "gone") return (sayGone(desk), false);
  if (answer.kind !== "refused") recordKept(desk, answer.kind === "saved" ? "" : desk.nextCopy);
  if (answer.kind === "saved") return await accept(desk, answer, values);
  if (answer.kind === "refused") showErrors(desk, answer);
  else await resolveConflict(desk, answer);
  return false;
}

async function ask(desk: Desk, values: URLSearchParams): Promise<SaveResult> {
  const answer = await send(desk.form.getAttribute("action") ?? "", values);
  const result = await readJson(answer);
  if (isResult(result)) return result;
  // The connection may break in the middle of the response.
  return { kind: "unsaved", answer: typeof answer !== "string" && answer.ok ? "offline" : answer };
}

function isResult(value: unknown): value is SaveResult {
  return typeof value === "object" && value !== null && "kind" in value;
}

type Saved = Extract<SaveResult, { kind: "saved" }>;

async function accept(desk: Desk, answer: Saved, values: URLSearchParams): Promise<true> {
  showErrors(desk, { errors: {} });
  desk.version.value = answer.version;
  desk.form.setAttribute("action", answer.action);
  values.set("version", answer.version);
  if (desk.form.dataset["subject"] !== answer.subject) moveLocalTexts(desk, answer.subject);
  if (desk.path !== answer.path) await showAsSaved(desk, answer.path, values);
  desk.path = answer.path;
  showSet(desk, answer.set ?? {}, values);
  forgetLocally(desk);
  // What was said above the form is done.
  for (const former of document.querySelectorAll("#desk-unsaved, #notice")) former.remove();
  const isSame = serialize(desk).toString() === desk.saved;
  say(desk, ...(isSame ? [`Saved at ${clock()}`, ...describeShown(answer.shown)] : ["Unsaved changes"]));
  desk.changed();
  return true;
}

/** Shows the values that saving set, such as the date of publishing, unless their fields were edited meanwhile. */
function showSet(desk: Desk, set: Values, values: URLSearchParams): void {
  const typed = serialize(desk);
  const untouched = Object.entries(set).filter(([name]) => typed.get(name) === values.get(name));
  for (const [name, value] of Object.entries(set)) values.set(name, value);
  desk.saved = desk.kept = values.toString();
  if (untouched.length > 0) fill(desk, Object.fromEntries(untouched));
}

/**
 * Turns the form of a new post into that of a saved one, around the text that is being written: its address, heading,
 * and actions, without the fields that only a new post has. Without a connection, this waits for a reload.
 */
async function showAsSaved(desk: Desk, path: string, values: URLSearchParams): Promise<void> {
  history.replaceState(null, "", path);
  const text = await fetch(path).then(
    (response) => (response.ok ? response.text() : ""),
    () => "",
  );
  const saved = new DOMParser().parseFromString(text, "text/html");
  if (saved.querySelector("form#desk") === null) return;
  document.title = saved.title;
  for (const part of [".head", ".desk-bar .actions"]) {
    document.querySelector(part)?.replaceChildren(...(saved.querySelector(part)?.childNodes ?? []));
  }
  for (const field of desk.form.querySelectorAll<HTMLInputElement>(".desk-settings [name]")) {
    if (saved.querySelector(`[name=${field.name}]`) !== null) continue;
    field.closest(".field")?.remove();
    values.delete(field.name);
  }
}

function describeShown(shown: Shown | undefined): readonly (string | Node)[] {
  if (shown === undefined) return [];
  if (shown.kind === "draft") return [" as a draft"];
  if (shown.kind === "public") return [". ", element("a", { href: shown.url, textContent: "View the post" })];
  const from = new Date(shown.from).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  return [`. Readers see it from ${from}`];
}

async function resolveConflict(desk: Desk, answer: Extract<SaveResult, { kind: "conflict" }>): Promise<void> {
  say(desk, "Not saved: someone else saved first.");
  const content = element("div", { innerHTML: answer.html });
  const choices = ["Merge both", "Save mine", "Take theirs"] as const;
  const choice = await askInDialog({ title: "Two versions", content: [content], choices, cancel: "Decide later" });
  if (choice === undefined) return;
  desk.version.value = answer.version;
  if (choice === "Take theirs") fill(desk, answer.theirs);
  if (choice === "Merge both") fill(desk, answer.merged);
  if (choice === "Save mine") void save(desk);
  desk.editor.focus();
}

export async function showChanges(desk: Desk): Promise<void> {
  const answer = await send(`${desk.path}/changes`, serialize(desk));
  const changes = await readJson(answer);
  if (typeof changes !== "object" || changes === null || !("html" in changes)) return sayTrouble(desk, answer);
  const content = element("div", { innerHTML: String(changes.html) });
  const choice = await askInDialog({
    title: "What will change",
    content: [content],
    choices: ["Save"],
    cancel: "Back",
  });
  if (choice !== undefined) await save(desk);
  return undefined;
}

function clock(): string {
  return new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}

/** Stores the text in the browser and explains why it couldn't be sent. */
async function sayTrouble(desk: Desk, answer: SendResult): Promise<void> {
  if (typeof answer !== "string" && answer.status === 404) return sayGone(desk);
  const where = keepLocally(desk);
  if (answer === "signed-out") return say(desk, `You are signed out. ${where} `, signInLink(), " to save it.");
  if (answer === "offline") return say(desk, `The service can’t be reached; retrying. ${where}`);
  const { status } = answer;
  if (status === 403) {
    const said = await readJson(answer);
    return say(desk, `Not saved. ${problemOf(said) ?? ""} ${where} `, ...(asksToSignIn(said) ? [signInLink()] : []));
  }
  return say(
    desk,
    `${status === 413 ? "This is too long to save." : `The service failed with error ${status}; retrying.`} ${where}`,
  );
}
