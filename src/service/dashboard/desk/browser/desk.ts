// Enhances the form for writing texts: an editor, a live preview, images, and saving without leaving the page. The form
// also works without it.
import { showConflicts } from "./conflicts.ts";
import { createEditor } from "./editor.ts";
import { preview } from "./preview.ts";
import { forgetLocally, keepLocally, offerLocalTexts } from "./local-texts.ts";
import { autosave, save, showChanges } from "./saving.ts";
import { fieldOf, fill, hiddenField, randomId, say, serialize, type Desk } from "./state.ts";
import { createTimeField } from "./time-field.ts";
import { addFiles, pasteDocument, startTools } from "./tools.ts";

const AUTOSAVE_MS = 1500;
const PREVIEW_MS = 400;

function openDesk(form: HTMLFormElement, textarea: HTMLTextAreaElement): void {
  const publishedAt = form.querySelector<HTMLInputElement>("input[name=publishedAt]");
  const desk: Desk = {
    form,
    editor: createEditor({
      textarea,
      nonce: document.querySelector<HTMLElement>("#desk-script")?.nonce ?? "",
      label: "Text",
      onChange: () => desk.changed(),
      onFiles: (files) => void addFiles(desk, files),
      onDocument: (pasted) => void pasteDocument(desk, pasted),
      isMarkdown: () => fieldOf(desk, "kind")?.value !== "html",
    }),
    textarea,
    status: document.querySelector("#desk-status"),
    frame: form.querySelector("iframe"),
    version: hiddenField(form, "version"),
    publishedAt: publishedAt === null ? undefined : createTimeField(publishedAt),
    copy: hiddenField(form, "copy"),
    nextCopy: randomId(),
    windowId: randomId(),
    path: form.dataset["path"] ?? "",
    saved: "",
    kept: "",
    unanswered: undefined,
    saving: Promise.resolve(),
    autosaveTimer: 0,
    previewTimer: 0,
    isRendering: false,
    changed() {
      conflicts.update();
      changed(desk);
    },
  };
  startTools(desk);
  const conflicts = showConflicts(desk.editor, form.querySelector(".desk-panes") ?? textarea);
  desk.saved = desk.kept = serialize(desk).toString();
  offerLocalTexts(desk);
  listen(desk);
  // The frame may have been ready before this script was listening.
  void preview(desk);
}

function changed(desk: Desk): void {
  clearTimeout(desk.previewTimer);
  desk.previewTimer = setTimeout(() => void preview(desk), PREVIEW_MS);
  if (serialize(desk).toString() === desk.kept) return;
  say(desk, "Unsaved changes");
  clearTimeout(desk.autosaveTimer);
  desk.autosaveTimer = setTimeout(() => void autosave(desk), AUTOSAVE_MS);
}

function listen(desk: Desk): void {
  const isUnsent = () => serialize(desk).toString() !== desk.kept;
  desk.form.addEventListener("input", desk.changed);
  desk.form.addEventListener("submit", (event) => {
    const address = event.submitter?.getAttribute("formaction") ?? "";
    if (address === "") {
      event.preventDefault();
      if (event.submitter?.getAttribute("name") === "publish") fill(desk, { status: "published" });
      void save(desk);
    } else if (address.endsWith("/changes")) {
      event.preventDefault();
      void showChanges(desk);
    } else {
      forgetLocally(desk);
      clearTimeout(desk.autosaveTimer);
      desk.kept = serialize(desk).toString();
    }
  });
  addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    // Even while a dialog asks something, the browser shouldn't offer to download the page.
    event.preventDefault();
    if (!event.repeat && document.querySelector("dialog[open]") === null) void save(desk);
  });
  addEventListener("online", () => void autosave(desk));
  addEventListener("focus", () => void autosave(desk));
  // Every dashboard page announces that its user is signed in.
  new BroadcastChannel("imprint-signed-in").addEventListener("message", () => void autosave(desk));
  addEventListener("pagehide", () => {
    if (isUnsent()) keepLocally(desk);
  });
  addEventListener("beforeunload", (event) => {
    if (isUnsent()) event.preventDefault();
  });
  addEventListener("message", ({ source, data }) => {
    if (source === desk.frame?.contentWindow && data === "ready") void preview(desk);
  });
}

const form = document.querySelector<HTMLFormElement>("form#desk");
const textarea = form?.querySelector<HTMLTextAreaElement>("textarea[name=text]");
if (form && textarea) openDesk(form, textarea);
