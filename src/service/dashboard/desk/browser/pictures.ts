import { askInDialog, element, tellInDialog } from "./dialogs.ts";

export interface Picture {
  readonly id: string;
  readonly name: string;
  readonly alt: string;
  /** What the text names it by. */
  readonly url: string;
  /** Address of the picture made small. */
  readonly thumbnail: string;
}

/** Sends a picture and asks what it shows; `undefined` where that was canceled. */
export async function addPicture(path: string, file: File): Promise<Picture | undefined> {
  const body = new FormData();
  body.append("file", file);
  const picture = await send(path, body);
  return picture && (await describe(picture));
}

/** Asks for a picture that is there, or a new one. */
export async function choosePicture(path: string): Promise<Picture | undefined> {
  const search = element("input", { type: "search", id: "picture-search" });
  const file = element("input", { type: "file", accept: "image/*", id: "picture-file" });
  const grid = element("div", { className: "desk-pictures" });
  let chosen: Picture | File | undefined;
  const show = async (close: () => void) => {
    const response = await fetch(`${path}?q=${encodeURIComponent(search.value)}`);
    const { items }: { readonly items: readonly Picture[] } = response.ok ? await response.json() : { items: [] };
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
  if (chosen instanceof File) return await addPicture(path, chosen);
  return chosen && (await describe(chosen));
}

async function send(path: string, body: FormData): Promise<Picture | undefined> {
  try {
    const response = await fetch(path, { method: "POST", body, headers: { Accept: "application/json" } });
    if (response.ok) return await response.json();
    const said = response.headers.get("Content-Type")?.includes("json") ? await response.json() : {};
    await tellInDialog("The picture was not added", said.problem ?? "You are signed out. Sign in in another tab.");
  } catch {
    await tellInDialog("The picture was not added", "The service can't be reached. Try again later.");
  }
  return undefined;
}

async function describe(picture: Picture): Promise<Picture | undefined> {
  const alt = element("input", { type: "text", id: "picture-alt", value: picture.alt });
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
  return choice === undefined ? undefined : { ...picture, alt: alt.value.trim() };
}
