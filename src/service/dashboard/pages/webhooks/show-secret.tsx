import type { Webhook } from "../../../store/webhooks.ts";
import { Secret } from "../../parts/secret.tsx";
import { renderShell } from "../../parts/shell.tsx";
import type { Scene } from "../../scene.ts";

/** The one page that shows the secret of a webhook. */
export function showSecret(
  scene: Scene,
  webhook: Webhook,
  { title, status }: { readonly title: string; readonly status: number },
): Response {
  const path = `/webhooks/${webhook.id}`;
  return renderShell(
    scene,
    { title, section: "/webhooks", parent: { title: "Webhooks", path: "/webhooks" }, status },
    <>
      <Secret
        label="The secret"
        text={webhook.secret}
        hint="The receiver checks with it that a message came from here. Copy it now: it is not shown again."
      />
      <p>
        Deliveries are signed as{" "}
        <a href="https://www.standardwebhooks.com/" rel="noopener noreferrer">
          Standard Webhooks
        </a>{" "}
        says; <code>verifyWebhook</code> of <code>astro-imprint/client</code> checks them.
      </p>
      <p>
        <a class="button quiet" href={path}>
          Go to the webhook
        </a>
      </p>
    </>,
  );
}
