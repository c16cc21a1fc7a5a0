export const gauges = [{ id: "north" }, { id: "south" }] as const;

/** The site's own way to write an address below its base. */
export const withBase = (path: string) => import.meta.env.BASE_URL + path;

export function write(id: string, text: string): void {
  const element = document.querySelector(`[data-testid="${id}"]`);
  if (element) element.textContent = text;
}

/** Puts a picture into the page and writes how wide it came. */
export async function show(id: string, src: string): Promise<void> {
  const image = Object.assign(new Image(), { src });
  const width = await image.decode().then(
    () => `${image.naturalWidth} pixels`,
    () => "broken",
  );
  write(id, width);
}
