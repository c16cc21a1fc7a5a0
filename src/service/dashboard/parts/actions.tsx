import type { Child } from "hono/jsx";
import type { DashboardContext } from "../context.ts";
import type { FormState, FormValues } from "../forms.ts";
import { HiddenFields } from "./fields.tsx";
import type { Link } from "../paths.ts";
import { renderPage, type Page } from "./page.tsx";
import { ForChange } from "./rights.tsx";

export interface ButtonLinkProps {
  readonly to: string;
  readonly label: string;
  /** `danger`: links to a page that asks for confirmation. */
  readonly variant?: "quiet" | "danger";
}

export function ButtonLink({ to, label, variant }: ButtonLinkProps) {
  const link = (
    <a class={variant === undefined ? "button" : `button ${variant}`} href={to}>
      {label}
    </a>
  );
  return variant === "danger" ? <ForChange to={to}>{link}</ForChange> : link;
}

/** A link to a form, for users who may make changes there. */
export function FormLink(props: ButtonLinkProps) {
  return (
    <ForChange to={props.to}>
      <ButtonLink {...props} />
    </ForChange>
  );
}

/** A button that downloads a file. */
export function ExportLink({ to, label }: Pick<ButtonLinkProps, "to" | "label">) {
  return (
    <a class="button quiet" href={to} download>
      {label}
    </a>
  );
}

/** Returns a CSV download, streamed; `name` has no extension. */
export function csvResponse(text: Iterable<string> | AsyncIterable<string>, name: string): Response {
  const body = ReadableStream.from(text).pipeThrough(new TextEncoderStream());
  return fileResponse(body, `${name}.csv`, "text/csv; charset=utf-8; header=present");
}

export function fileResponse(body: string | ReadableStream, name: string, type: string): Response {
  const disposition = `attachment; filename="${name}"`;
  const headers = { "Content-Type": type, "Content-Disposition": disposition, "Cache-Control": "private, no-store" };
  return new Response(body, { headers });
}

/** A button that changes something, as a separate form that works without scripts; submits `fields`. */
export function Action({
  to,
  label,
  fields = {},
}: {
  readonly to: string;
  readonly label: string;
  readonly fields?: FormValues;
}) {
  return (
    <ForChange to={to}>
      <form method="post" action={to} class="action">
        <HiddenFields values={fields} />
        <button type="submit" class="quiet">
          {label}
        </button>
      </form>
    </ForChange>
  );
}

/** A confirmation before something is lost. */
export interface Question {
  /** Such as `Delete “Contact”?`. */
  readonly title: string;
  /** Page of the record, which is also the way back. Default: the section. */
  readonly parent: Link;
  /** Describes the action, such as `Delete page`. */
  readonly button: string;
  /** Default: `danger`. */
  readonly variant?: "plain";
  readonly fields?: Readonly<Record<string, string>>;
  /** Explains what is lost; may contain choices for the form. */
  readonly main: Child;
}

/**
 * Renders a confirmation page. Every deletion goes through one, with or without scripts: delete buttons link to it, so
 * that no single click does harm. The form is submitted to the path of the question.
 */
export function renderQuestion(context: DashboardContext, question: Question, form: FormState): Response {
  const { title, parent, button, variant, fields = {}, main } = question;
  return renderPage(
    context,
    { title, parent, form },
    <form method="post" action={context.req.path}>
      <HiddenFields values={fields} />
      {main}
      <p class="actions">
        <button type="submit" class={variant === "plain" ? undefined : "danger"}>
          {button}
        </button>
        <ButtonLink to={parent.path} variant="quiet" label="Cancel" />
      </p>
    </form>,
  );
}

export interface SecretPage extends Pick<Page, "parent"> {
  readonly title: string;
  /** Label of the secret. */
  readonly label: string;
  readonly text: string;
  /** Its purpose, and that it is never shown again. */
  readonly hint: string;
  readonly status: number;
  /** Shown above and below the secret. */
  readonly before?: Child;
  readonly after?: Child;
  /** Target of the button at the end. */
  readonly done: Link;
}

/** Renders the only page that ever shows a key or secret. */
export function renderSecret(context: DashboardContext, page: SecretPage): Response {
  const { label, text, hint, before, after, done } = page;
  return renderPage(
    context,
    page,
    <>
      {before}
      <div class="secret">
        <label for="secret">{label}</label>
        <div class="row">
          <input id="secret" type="text" value={text} readonly aria-describedby="secret-hint" spellcheck={false} />
          <button type="button" class="quiet" data-copy="secret" hidden>
            Copy
          </button>
        </div>
        <p class="hint" id="secret-hint">
          {hint}
        </p>
      </div>
      {after}
      <p>
        <ButtonLink to={done.path} variant="quiet" label={done.title} />
      </p>
    </>,
  );
}
