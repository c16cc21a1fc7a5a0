import { readJson, send, serialize, type Desk } from "./state.ts";

/** Renders the form in the preview until it is up to date. */
export async function preview(desk: Desk): Promise<void> {
  if (desk.isRendering) return;
  desk.isRendering = true;
  const values = serialize(desk);
  const answer = await send(`${desk.path}/render`, values);
  const rendered = await readJson(answer);
  const isRendered = typeof rendered === "object" && rendered !== null && "html" in rendered;
  if (isRendered) desk.frame?.contentWindow?.postMessage(rendered, "*");
  desk.isRendering = false;
  if (isRendered && serialize(desk).toString() !== values.toString()) await preview(desk);
}
