import * as z from "zod";
import { LIMITS } from "../../../../contract/limits.ts";
import { pagePutBody } from "../../../../contract/requests.ts";
import { editPage, getPageById } from "../../../resources/pages.ts";
import type { Page } from "../../../store/pages.ts";
import { freshForm, overtakenForm } from "../../form-state.ts";
import { attempt, parseInput, readForm, textOrNull, versionOf } from "../../forms.ts";
import { write, type DashboardApp } from "../../scene.ts";
import { renderPageView } from "./view.tsx";

const editBody = pagePutBody
  .pick({ description: true, siteId: true })
  .extend({ title: z.string().trim().min(1).max(LIMITS.maxTitleLength) });

/** One page, and the changes that leave its HTML as it is. */
export function registerPageEditing(app: DashboardApp): void {
  app.get("/edit/:pageId", async (context) => {
    const page = await getPageById(context.var.scene.records, context.req.param("pageId"));
    return await renderPageView(context, page, freshForm(fieldsOf(page)));
  });

  app.post("/pages/:pageId/edit", async (context) => {
    const { scene } = context.var;
    const { values } = await readForm(context);
    const page = await getPageById(scene.records, context.req.param("pageId"));
    return await attempt({
      values,
      async accept() {
        const { title, description, siteId } = values;
        const edit = parseInput(editBody, { title, description: textOrNull(description), siteId: textOrNull(siteId) });
        const preconditions = versionOf(values);
        await write(scene, (records) => editPage(records, { slug: page.slug, edit, preconditions }));
        return context.redirect(`/edit/${page.id}?notice=saved`, 303);
      },
      again: async (state, problem) =>
        await renderPageView(
          context,
          page,
          problem.code === "version_mismatch" ? overtakenForm(state, fieldsOf(page)) : state,
        ),
    });
  });

  app.post("/pages/:pageId/status", async (context) => {
    const { scene } = context.var;
    const { values } = await readForm(context);
    const page = await getPageById(scene.records, context.req.param("pageId"));
    const status = values["status"] === "published" ? "published" : "draft";
    await write(scene, (records) => editPage(records, { slug: page.slug, edit: { status }, preconditions: {} }));
    return context.redirect(
      `/edit/${page.id}?notice=page-${status === "published" ? "published" : "unpublished"}`,
      303,
    );
  });
}

function fieldsOf({ title, description, siteId, version }: Page) {
  return { title, description: description ?? "", siteId: siteId ?? "", version: String(version) };
}
