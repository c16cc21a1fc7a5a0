import type { EditorView } from "@codemirror/view";
import { element } from "./dialogs.ts";
import type { TimeField } from "./time-field.ts";

export type Values = Readonly<Record<string, string>>;

/** State of a form for writing a text. */
export interface Desk {
  readonly form: HTMLFormElement;
  readonly editor: EditorView;
  readonly textarea: HTMLTextAreaElement;
  readonly status: Element | null;
  readonly frame: HTMLIFrameElement | null;
  readonly version: HTMLInputElement;
  /** Id of this window's copy on the service; empty if there is none. */
  readonly copy: HTMLInputElement;
  readonly publishedAt: TimeField | undefined;
  /** Distinguishes the texts of several windows in this browser. */
  readonly windowId: string;
  /** Id of the next copy; sent again until the service responds. */
  nextCopy: string;
  /** Base path of the form's requests. */
  path: string;
  /** The form's content when last saved, and the content that the service has. */
  saved: string;
  kept: string;
  /** A save without a response. */
  unanswered: URLSearchParams | undefined;
  saving: Promise<unknown>;
  autosaveTimer: number;
  previewTimer: number;
  isRendering: boolean;
  /** Called when the form's content changes. */
  changed(): void;
}

export function fieldOf(desk: Desk, name: string): HTMLInputElement | HTMLSelectElement | undefined {
  return desk.form.querySelector<HTMLInputElement | HTMLSelectElement>(`[name=${name}]`) ?? undefined;
}

export function say(desk: Desk, ...parts: readonly (string | Node)[]): void {
  desk.status?.replaceChildren(...parts);
}

export function serialize(desk: Desk): URLSearchParams {
  const values = new URLSearchParams();
  // The copy's id isn't part of the text.
  for (const [name, value] of new FormData(desk.form))
    if (typeof value === "string" && name !== "copy") values.set(name, value);
  if (desk.publishedAt !== undefined) values.set("publishedAt", desk.publishedAt.read());
  return values;
}

export function fill(desk: Desk, values: Values): void {
  for (const [name, value] of Object.entries(values)) {
    const field = fieldOf(desk, name);
    if (name === "text")
      desk.editor.dispatch({ changes: { from: 0, to: desk.editor.state.doc.length, insert: value } });
    else if (field !== undefined) {
      field.value = value;
      field.dispatchEvent(new Event("change"));
    }
  }
  if ("publishedAt" in values) desk.publishedAt?.show();
  desk.changed();
}

export function showErrors(
  desk: Desk,
  { problem, errors }: { readonly problem?: string; readonly errors: Values },
): void {
  for (const old of desk.form.querySelectorAll(".error")) old.remove();
  for (const [name, sentence] of Object.entries(errors)) {
    fieldOf(desk, name)?.after(element("p", { className: "error", textContent: sentence }));
  }
  const first = Object.keys(errors)[0];
  if (first !== undefined) fieldOf(desk, first)?.focus();
  if (problem !== undefined || first !== undefined) say(desk, problem ?? "Nothing was saved. Fix the marked fields.");
}

/** Creates a unique id; `randomUUID` isn't available without TLS. */
export function randomId(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}

export type SendResult = Response | "offline" | "signed-out";

/** Sends a request to the service: POST with a body, otherwise GET. */
export async function send(address: string, body?: URLSearchParams | FormData): Promise<SendResult> {
  try {
    const method = body === undefined ? "GET" : "POST";
    const response = await fetch(address, { method, body, headers: { Accept: "application/json" } });
    // Users who aren't signed in get a page, as may those behind a proxy with its own login.
    const isPage = response.headers.get("Content-Type")?.startsWith("text/html") ?? false;
    return response.status === 401 || (response.ok && isPage) ? "signed-out" : response;
  } catch {
    return "offline";
  }
}

/** Parses a response; `undefined` if it is missing or incomplete. */
export async function readJson(answer: SendResult): Promise<unknown> {
  if (typeof answer === "string" || !(answer.headers.get("Content-Type")?.includes("json") ?? false)) return undefined;
  return await answer
    .clone()
    .json()
    .catch(() => undefined);
}

/** Returns the reason for a rejection, as a sentence. */
export function problemOf(said: unknown): string | undefined {
  return typeof said === "object" && said !== null && "problem" in said ? String(said.problem) : undefined;
}

/** Whether signing in as another user would help. */
export function asksToSignIn(said: unknown): boolean {
  return typeof said === "object" && said !== null && "signIn" in said && said.signIn === true;
}

/** Creates a link to sign in, next to the text that must not be lost. */
export function signInLink(): HTMLAnchorElement {
  return element("a", { href: "/sign-in", target: "_blank", textContent: "Sign in in a new tab" });
}

export function hiddenField(form: HTMLFormElement, name: string): HTMLInputElement {
  const known = form.querySelector<HTMLInputElement>(`input[type=hidden][name=${name}]`);
  if (known !== null) return known;
  const made = element("input", { type: "hidden", name });
  form.append(made);
  return made;
}
