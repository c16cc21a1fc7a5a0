import { publicPageUrl } from "../../../resources/addresses.ts";
import { makeBytesCurrent } from "../../../resources/current-addresses.ts";
import { getPageById, getPageHtml } from "../../../resources/pages.ts";
import { answerPreview } from "../../preview-answer.ts";
import type { DashboardApp } from "../../scene.ts";

/** What the frames of previews show: the page's own HTML, on the dashboard's host but with no access to it. */
export function registerPagePreview(app: DashboardApp): void {
  app.get("/pages/:pageId/preview", async (context) => {
    const { records } = context.var.scene;
    const page = await getPageById(records, context.req.param("pageId"));
    const html = makeBytesCurrent(await getPageHtml(records, page), "html", records.addresses);
    return answerPreview(html, publicPageUrl(records.addresses, page.slug));
  });
}
