import { askInDialog, element } from "./dialogs.ts";
import { asksToSignIn, problemOf, readJson, send, signInLink, type SendResult } from "./state.ts";

export interface Picture {
  readonly id: string;
  readonly name: string;
  /** Absent if only the texts that use the image store its alternative text. */
  readonly alt?: string;
  /** The URL or path that the text uses. */
  readonly url: string;
  /** URL of the thumbnail. */
  readonly thumbnail: string;
}

/** Where images are listed and uploaded. */
export interface Pictures {
  readonly path: string;
  /** The user who writes here; no one else can add images. */
  readonly writer: string;
  readonly maxBytes: number;
}

/** Uploads an image; `undefined` if canceled. */
export async function addPicture({ path, writer, maxBytes }: Pictures, file: File): Promise<Picture | undefined> {
  const title = `${file.name} was not added`;
  if (file.size > maxBytes) {
    const textContent = `The picture has ${megabytes(file.size)} MB; the maximum is ${megabytes(maxBytes)} MB. Resize it first.`;
    await askInDialog({ title, content: [element("p", { textContent })], choices: [], cancel: "Close" });
    return undefined;
  }
  const body = new FormData();
  body.append("file", file);
  body.append("writer", writer);
  for (;;) {
    const answer = await send(path, body);
    const said = await readJson(answer);
    if (isPicture(said)) return said;
    const content = element("p");
    content.append(...reasonOf(answer, said));
    // A rejection by a rule is final unless another user signs in.
    const isRefused = problemOf(said) !== undefined && typeof answer !== "string";
    const isFinal = isRefused && answer.status !== 403 && answer.status < 429;
    const choices = isFinal ? [] : ["Try again"];
    const cancel = isFinal ? "Close" : "Cancel";
    if ((await askInDialog({ title, content: [content], choices, cancel })) === undefined) return undefined;
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

function isPicture(value: unknown): value is Picture {
  return typeof value === "object" && value !== null && "url" in value;
}

/** Explains why an image is missing, and how to get it. */
function reasonOf(answer: SendResult, said: unknown): readonly (string | Node)[] {
  if (answer === "signed-out") return ["You are signed out. ", signInLink(), ", then try again."];
  if (answer === "offline") return ["The service can’t be reached. Try again when you are online."];
  const problem = problemOf(said) ?? `The service failed with error ${answer.status}.`;
  return asksToSignIn(said) ? [`${problem} `, signInLink()] : [problem];
}

/** Asks for an existing image or a new one. */
export async function choosePicture(pictures: Pictures): Promise<Picture | undefined> {
  const search = element("input", { type: "search", id: "picture-search" });
  const file = element("input", { type: "file", accept: "image/*", id: "picture-file" });
  const grid = element("div", { className: "desk-pictures" });
  let chosen: Picture | File | undefined;
  const show = async (close: () => void) => {
    const wanted = search.value;
    const answer = await send(`${pictures.path}?q=${encodeURIComponent(wanted)}`);
    const said = await readJson(answer);
    // A newer search is already running.
    if (search.value !== wanted) return;
    if (!isList(said)) return grid.replaceChildren(...reasonOf(answer, said));
    const { items } = said;
    grid.replaceChildren(
      ...items.map((picture) => {
        const button = element("button", { type: "button", className: "quiet" });
        button.append(element("img", { src: picture.thumbnail, alt: "", loading: "lazy" }), picture.name);
        button.addEventListener("click", () => {
          chosen = picture;
          close();
        });
        return button;
      }),
    );
    if (items.length === 0) grid.textContent = "No matching pictures.";
  };
  await askInDialog({
    title: "Choose a picture",
    content: [
      element("label", { htmlFor: "picture-file", textContent: "Add a new one" }),
      file,
      element("label", { htmlFor: "picture-search", textContent: "Find an existing one" }),
      search,
      grid,
    ],
    choices: [],
    onOpen(close) {
      search.addEventListener("input", () => void show(close));
      file.addEventListener("change", () => {
        chosen = file.files?.[0];
        close();
      });
      void show(close);
    },
  });
  return chosen instanceof File ? await addPicture(pictures, chosen) : chosen;
}

function isList(value: unknown): value is { readonly items: readonly Picture[] } {
  return typeof value === "object" && value !== null && "items" in value && Array.isArray(value.items);
}

/** Asks for an image's alternative text; `undefined` if canceled. */
export async function describePicture(picture: Picture): Promise<string | undefined> {
  const alt = element("input", { type: "text", id: "picture-alt", value: picture.alt ?? "" });
  const choice = await askInDialog({
    title: "Describe the picture",
    content: [
      element("img", { className: "shown", src: picture.thumbnail, alt: "" }),
      element("label", { htmlFor: "picture-alt", textContent: "Alternative text" }),
      alt,
      element("p", {
        className: "hint",
        textContent: "For people who can’t see it. Leave it empty only if the picture is decoration.",
      }),
    ],
    choices: ["Use the picture"],
    onOpen: () => alt.focus(),
  });
  return choice === undefined ? undefined : alt.value.trim();
}
