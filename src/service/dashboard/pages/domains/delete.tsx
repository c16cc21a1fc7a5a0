import { getDomain, removeDomain } from "../../../resources/domains.ts";
import { renderConfirmation } from "../../parts/confirm.tsx";
import { write, type DashboardApp } from "../../scene.ts";
import { readableName } from "./state.tsx";

/** Asks whether a domain is to be removed, and removes it. */
export function registerDomainDeletion(app: DashboardApp): void {
  app.get("/domains/:domain/delete", async (context) => {
    const { scene } = context.var;
    const { id, name } = await getDomain(scene.records, context.req.param("domain"));
    const title = readableName(name);
    const confirmation = {
      title: `Remove ${title}?`,
      section: "/domains",
      parent: { title, path: `/domains/${id}` },
      to: `/domains/${id}/delete`,
      label: "Remove the domain",
    };
    return renderConfirmation(
      scene,
      confirmation,
      <p>
        Visitors who come by this name will not find the site any more, and its certificate is deleted. Pages stay.
        Adding the domain again needs a new proof at the DNS host.
      </p>,
    );
  });

  app.post("/domains/:domain/delete", async (context) => {
    const { scene } = context.var;
    await write(scene, (records) => removeDomain(records, context.req.param("domain")));
    return context.redirect("/domains?notice=domain-removed", 303);
  });
}
