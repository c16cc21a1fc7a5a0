import { fixViewportHeight } from "../../../../html/viewport-height.ts";
import { publicPageUrl } from "../../../resources/addresses.ts";
import { makeCurrent } from "../../../resources/current-addresses.ts";
import { DEVICES } from "../../../resources/beacon.ts";
import { getPageById, getPageHtml } from "../../../resources/pages.ts";
import { answerPreview } from "../../preview-answer.ts";
import type { DashboardContext } from "../../scene.ts";
import { WINDOWS } from "./window.ts";

/** The page as a frame shows it that is as high as the page: what fills the window must not fill the frame. */
export async function previewLayout(context: DashboardContext): Promise<Response> {
  const { records } = context.var.scene;
  const page = await getPageById(records, context.req.param("pageId") ?? "");
  const device = DEVICES.find((each) => each === context.req.query("device")) ?? "desktop";
  const text = new TextDecoder().decode(await getPageHtml(records, page));
  const html = makeCurrent({ text, kind: "html" }, records.addresses);
  const laidOut = fixViewportHeight(html, WINDOWS[device].height);
  return answerPreview(laidOut, publicPageUrl(records.addresses, page.slug));
}
