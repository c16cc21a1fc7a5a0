import { describe, expect, it } from "vitest";
import { COMBINATIONS, CONTACT, publishPage, submit } from "../service/visitors/visiting.ts";
import { openRunningService } from "../service/open-service.ts";
import { testConnect } from "./clients.ts";

const ANNA = { name: "Anna", email: "anna@example.org", message: "=1+1" };

describe.each(COMBINATIONS)("the client of route set $routeSet, $mode", ({ routeSet, mode }) => {
  async function open() {
    const service = await openRunningService({ strict: mode === "strict" });
    const pageId = await publishPage(service, "contact", CONTACT);
    await submit(service, "contact", { fields: ANNA });
    const api = await testConnect({ baseUrl: service.baseUrl(routeSet), apiKey: service.apiKey });
    return { service, api, pageId };
  }

  it("reads form submissions", async () => {
    const { api } = await open();
    const { items, end } = await api.submissions.list("contact");
    expect(end).toBe("said");
    expect(items).toMatchObject([
      { id: expect.stringMatching(/^sb_/), pageSlug: "contact", createdAt: expect.any(Date) },
    ]);
    expect(Object.fromEntries(items[0]?.fields ?? [])).toEqual(ANNA);
    expect([items[0]?.email, items[0]?.lead]).toEqual(
      mode === "full" ? ["anna@example.org", true] : [undefined, undefined],
    );
    expect((await api.submissions.list("contact", { from: "2999-01-01" })).items).toEqual([]);
  });

  it("supports what its route set can do, and reports what it can't", async () => {
    const { api, pageId } = await open();
    const refused = expect.objectContaining({ code: "NOT_SUPPORTED" });
    if (routeSet === "a") {
      expect((await api.forms.list()).items).toMatchObject([
        { name: "form-1", pageSlug: "contact", submissionCount: 1, fields: [{ name: "name", required: true }, {}, {}] },
      ]);
      expect((await api.analytics.summary({ sort: "views" })).items).toMatchObject([
        { slug: "contact", id: pageId, views: 0, submissions: 1 },
      ]);
      const [sent] = (await api.submissions.list("contact")).items;
      expect(await api.forms.export({ pageSlug: "contact" })).toContain(`"'=1+1"`);
      expect(JSON.parse(await api.forms.export({ format: "json" }))).toMatchObject({ data: [{ fields: ANNA }] });
      expect(JSON.parse(await api.forms.export({ format: "json", formId: "fm_none" }))).toEqual({ data: [] });
      const leads = api.forms.export({ leadsOnly: true });
      if (mode === "full") expect(await leads).toContain("anna@example.org");
      else await expect(leads).rejects.toEqual(refused);
      await api.submissions.delete("contact", sent?.id ?? "");
      await api.submissions.delete("contact", sent?.id ?? "");
      expect((await api.submissions.list("contact")).items).toEqual([]);
      await expect(api.analytics.page("contact")).rejects.toEqual(refused);
      await expect(api.analytics.heatmap({ slug: "contact" })).rejects.toEqual(refused);
      return;
    }
    expect(await api.forms.export({ pageSlug: "contact" })).toContain(`"'=1+1"`);
    expect(JSON.parse(await api.forms.export({ format: "json" }))).toMatchObject({ data: [{ fields: ANNA }] });
    expect(await api.analytics.page("contact")).toMatchObject({
      totals: { slug: "contact", views: 0, submissions: 1 },
      devices: { mobile: 0, tablet: 0, desktop: 0 },
    });
    expect(
      (await api.analytics.page(pageId, { interval: "hour", from: "2026-01-01", to: "2026-01-01" }))?.series,
    ).toHaveLength(24);
    expect(await api.analytics.page("none")).toBeUndefined();
    expect(await api.analytics.heatmap({ pageId })).toMatchObject({ views: 0, points: [], elements: [] });
    expect((await api.analytics.scrollDepth({ slug: "contact" })).buckets).toHaveLength(20);
    await expect(api.forms.list()).rejects.toEqual(refused);
    await expect(api.analytics.summary()).rejects.toEqual(refused);
    await expect(api.submissions.delete("contact", "sb_1")).rejects.toEqual(refused);
  });
});
