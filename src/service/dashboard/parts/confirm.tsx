import type { Child } from "hono/jsx";
import type { Scene } from "../scene.ts";
import { renderShell } from "./shell.tsx";

/** What is asked before something is lost. */
export interface Confirmation {
  /** The question, such as `Delete “Contact”?`. */
  readonly title: string;
  readonly section: string;
  /** Where the record stands; also the way back. */
  readonly parent: { readonly title: string; readonly path: string };
  /** The address that the answer is sent to. */
  readonly to: string;
  /** Says on the button what happens, such as `Delete the page`. */
  readonly label: string;
  readonly fields?: Readonly<Record<string, string>>;
  /** Default 200; else that of the problem which the text tells. */
  readonly status?: number;
}

/**
 * A page that asks before something is lost. Every deletion goes through one, with scripts and without: a button that
 * deletes is a link to it, so that no single slip does harm. `main` says what is lost, and may hold choices for the
 * form.
 */
export function renderConfirmation(scene: Scene, confirmation: Confirmation, main: Child): Response {
  const { title, section, parent, to, label, fields = {}, status = 200 } = confirmation;
  return renderShell(
    scene,
    { title, section, parent, status },
    <form method="post" action={to}>
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {main}
      <p class="actions">
        <button type="submit" class="danger">
          {label}
        </button>
        <a class="button quiet" href={parent.path}>
          Cancel
        </a>
      </p>
    </form>,
  );
}

/** The way to a page that asks. */
export function DangerLink({ to, label }: { readonly to: string; readonly label: string }) {
  return (
    <a class="button danger" href={to}>
      {label}
    </a>
  );
}
