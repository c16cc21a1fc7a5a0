import { post, serialize, type Desk } from "./state.ts";

/** Shows in the preview what the form holds, until it shows the latest of it. */
export async function preview(desk: Desk): Promise<void> {
  if (desk.isRendering) return;
  desk.isRendering = true;
  const values = serialize(desk);
  const response = await post(`${desk.path}/render`, values);
  if (response !== "offline" && response.ok) desk.frame?.contentWindow?.postMessage(await response.json(), "*");
  desk.isRendering = false;
  if (response !== "offline" && serialize(desk).toString() !== values.toString()) await preview(desk);
}
