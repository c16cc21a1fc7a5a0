import { domainPatchBody } from "../../../../contract/requests.ts";
import { checkDomain, getDomain, patchDomain } from "../../../resources/domains.ts";
import type { Domain } from "../../../store/domains.ts";
import { freshForm } from "../../form-state.ts";
import { attempt, parseInput, readForm, textOrNull } from "../../forms.ts";
import { write, type DashboardApp } from "../../scene.ts";
import { renderDomainView } from "./view.tsx";

/** One domain, where it leads, and the check that is asked for. */
export function registerDomainChanges(app: DashboardApp): void {
  app.get("/domains/:domain", async (context) => {
    const domain = await getDomain(context.var.scene.records, context.req.param("domain"));
    return await renderDomainView(context, domain, freshForm(valuesOf(domain)));
  });

  app.post("/domains/:domain", async (context) => {
    const { scene } = context.var;
    const { values } = await readForm(context);
    const domain = await getDomain(scene.records, context.req.param("domain"));
    return await attempt({
      values,
      async accept() {
        const { siteId, redirectTo } = values;
        const input = { siteId: textOrNull(siteId), redirectTo: textOrNull(redirectTo) };
        const patch = parseInput(domainPatchBody, input);
        await write(scene, (records) => patchDomain(records, domain.id, patch));
        return context.redirect(`/domains/${domain.id}?notice=saved`, 303);
      },
      again: async (state) => await renderDomainView(context, domain, state),
    });
  });

  app.post("/domains/:domain/check", async (context) => {
    const { id, status } = await checkDomain(context.var.scene.records, context.req.param("domain"));
    return context.redirect(`/domains/${id}?notice=domain-${status === "active" ? "active" : "checked"}`, 303);
  });
}

function valuesOf({ siteId, redirectTo }: Domain): Readonly<Record<string, string>> {
  return { siteId: siteId ?? "", redirectTo: redirectTo ?? "" };
}
