import { endSession } from "../../../auth/sessions.ts";
import { deleteSessionsOf } from "../../../store/sessions.ts";
import { renderConfirmation } from "../../parts/confirm.tsx";
import { write, type DashboardApp } from "../../scene.ts";

const PATH = "/settings/sign-out-everywhere";

/** Asks whether every browser is to be signed out, and does it. */
export function registerSignOutEverywhere(app: DashboardApp): void {
  app.get(PATH, (context) =>
    renderConfirmation(
      context.var.scene,
      {
        title: "Sign out everywhere?",
        section: "/settings",
        parent: { title: "Settings", path: "/settings" },
        to: PATH,
        label: "Sign out everywhere",
      },
      <p>
        Every browser is signed out, this one too. <code>imprint dashboard</code> makes a new link to sign in. API keys
        and connected apps stay as they are.
      </p>,
    ),
  );

  app.post(PATH, async (context) => {
    const { scene } = context.var;
    await write(scene, ({ database, accountId }) => deleteSessionsOf(database, accountId));
    context.header("Set-Cookie", await endSession(scene.records, scene.person));
    return context.redirect("/sign-in", 303);
  });
}
