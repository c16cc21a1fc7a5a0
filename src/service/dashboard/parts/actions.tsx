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
  /** `danger`: leads to a page that asks before something is lost. */
  readonly variant?: "quiet" | "danger";
}

/** A link that looks like a button. */
export function ButtonLink({ to, label, variant }: ButtonLinkProps) {
  const link = (
    <a class={variant === undefined ? "button" : `button ${variant}`} href={to}>
      {label}
    </a>
  );
  return variant === "danger" ? <ForChange to={to}>{link}</ForChange> : link;
}

/** A link to a form, for who may change something there. */
export function FormLink(props: ButtonLinkProps) {
  return (
    <ForChange to={props.to}>
      <ButtonLink {...props} />
    </ForChange>
  );
}

/** A button that saves a file. */
export function ExportLink({ to, label }: Pick<ButtonLinkProps, "to" | "label">) {
  return (
    <a class="button quiet" href={to} download>
      {label}
    </a>
  );
}

/** A file that the browser saves, sent in pieces; its name has no ending yet. */
export function csvResponse(text: Iterable<string> | AsyncIterable<string>, name: string): Response {
  const body = ReadableStream.from(text).pipeThrough(new TextEncoderStream());
  return fileResponse(body, `${name}.csv`, "text/csv; charset=utf-8; header=present");
}

/** A file that the browser saves. */
export function fileResponse(body: string | ReadableStream, name: string, type: string): Response {
  const disposition = `attachment; filename="${name}"`;
  const headers = { "Content-Type": type, "Content-Disposition": disposition, "Cache-Control": "private, no-store" };
  return new Response(body, { headers });
}

/** A button that changes something, as a form of its own: it works without a script; `fields` are sent along. */
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

/** What is asked before something is lost. */
export interface Question {
  /** Such as `Delete “Contact”?`. */
  readonly title: string;
  /** Where the record stands; also the way back. Default: the section. */
  readonly parent: Link;
  /** Says what happens, such as `Delete page`. */
  readonly button: string;
  /** Default: `danger`. */
  readonly variant?: "plain";
  readonly fields?: Readonly<Record<string, string>>;
  /** What is lost; may hold choices for the form. */
  readonly main: Child;
}

/**
 * A page that asks before something is lost. Every deletion goes through one, with scripts and without: a button that
 * deletes is a link to it, so that no single slip does harm. The answer is sent to the path of the question.
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
  /** Names the secret. */
  readonly label: string;
  readonly text: string;
  /** What it is for and that it is never shown again. */
  readonly hint: string;
  readonly status: number;
  /** Above and below the secret. */
  readonly before?: Child;
  readonly after?: Child;
  /** Where the button at the end leads. */
  readonly done: Link;
}

/** The one page that ever shows a key or a secret. */
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
