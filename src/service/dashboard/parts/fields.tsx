import type { Child } from "hono/jsx";
import { freshForm, type Field, type Fields, type FormState, type FormValues, type Options } from "../forms.ts";
import { basisOf } from "../merge-form.ts";
import { Message } from "./lists.tsx";
import { ForChange } from "./rights.tsx";

/** Options of choice fields by field name. */
type Offers = Readonly<Record<string, Options>>;

export interface FieldListProps {
  readonly fields: Fields;
  readonly state: FormState;
  readonly offers?: Offers | undefined;
}

/** The fields of a form, with their errors. */
export function FieldList({ fields, state, offers = {} }: FieldListProps) {
  return (
    <>
      {Object.entries(fields).map(([name, field]) => (
        <FieldInput name={name} field={{ ...field, options: offers[name] ?? field.options }} state={state} />
      ))}
    </>
  );
}

interface FieldInputProps {
  readonly name: string;
  readonly field: Field;
  readonly state: FormState;
}

function FieldInput({ name, field, state }: FieldInputProps) {
  const { label, hint } = field;
  const error = state.errors[name];
  const saved = state.saved?.[name];
  const chosen = field.kind === "choice" ? field.options?.find(([value]) => value === saved) : undefined;
  return (
    <div class={field.kind === "search" ? "field wide" : "field"}>
      <label for={name}>{label}</label>
      <Control name={name} field={field} state={state} />
      {error !== undefined && (
        <p class="error" id={`${name}-error`}>
          <Message text={error} />
        </p>
      )}
      {saved !== undefined && saved !== state.values[name] && (
        <p class="hint saved">
          Saved meanwhile: {saved === "" ? <em>nothing</em> : <strong>{chosen?.[1] ?? saved}</strong>}
        </p>
      )}
      {hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {typeof hint === "string" ? <Message text={hint} /> : hint}
        </p>
      )}
    </div>
  );
}

function Control({ name, field, state }: FieldInputProps) {
  const { hint, options = [], placeholder, kind = "text", required = false } = field;
  const value = state.values[name] ?? "";
  const isWrong = state.errors[name] !== undefined;
  const descriptions = [...(isWrong ? [`${name}-error`] : []), ...(hint === undefined ? [] : [`${name}-hint`])];
  const common = {
    id: name,
    name,
    "aria-invalid": isWrong ? "true" : undefined,
    "aria-describedby": descriptions.length === 0 ? undefined : descriptions.join(" "),
  } as const;
  if (kind === "choice") {
    return (
      <select {...common}>
        {options.map(([each, text]) => (
          <option value={each} selected={each === value}>
            {text}
          </option>
        ))}
      </select>
    );
  }
  if (kind === "lines" || kind === "source") {
    return (
      <textarea {...common} rows={kind === "lines" ? 3 : 18} class={kind === "lines" ? "prose" : "source"}>
        {/* HTML drops a line break at the start, which would be one of the text. */}
        {`\n${value}`}
      </textarea>
    );
  }
  const listId = options.length === 0 ? undefined : `${name}-list`;
  return (
    <>
      <input
        {...common}
        type={kind === "picture" ? "text" : kind}
        required={required}
        list={listId}
        value={value}
        placeholder={placeholder}
      />
      {kind === "picture" && (
        <button type="button" class="quiet" data-choose={name}>
          Choose a picture
        </button>
      )}
      {listId !== undefined && (
        <datalist id={listId}>
          {options.map(([each]) => (
            <option value={each} />
          ))}
        </datalist>
      )}
    </>
  );
}

/** Values that a form submits besides its fields. */
export function HiddenFields({ values }: { readonly values: Readonly<Record<string, string | undefined>> }) {
  return (
    <>
      {Object.entries(values).map(
        ([name, value]) => (value ?? "") !== "" && <input type="hidden" name={name} value={value} />,
      )}
    </>
  );
}

export interface FieldsFormProps extends FieldListProps {
  /** The path that the form is submitted to. */
  readonly to: string;
  readonly button: string;
  /** `panel` gives the form its own background. */
  readonly class?: "panel";
  /** Shown below the fields. */
  readonly children?: Child;
}

/** A form with fields; it also submits what it is based on. */
export function FieldsForm({ to, fields, state, offers, button, class: className, children }: FieldsFormProps) {
  const list = <FieldList fields={fields} state={state} offers={offers} />;
  const basis = basisOf(state.values);
  const isNew = Object.keys(basis).length === 0;
  // Users who can't change a record still see it in its form.
  const instead = isNew ? (
    <p class="soft">Your role doesn’t include changes here.</p>
  ) : (
    <fieldset disabled class="plain">
      {list}
    </fieldset>
  );
  return (
    <ForChange to={to} instead={instead}>
      {/* A saved record shows what is saved, also to a user who goes back; nothing else holds a new one. */}
      <form method="post" action={to} class={className} autocomplete={isNew ? undefined : "off"}>
        {list}
        {children}
        <HiddenFields values={basis} />
        <button type="submit">{button}</button>
      </form>
    </ForChange>
  );
}

export interface FilterProps {
  readonly fields: Fields;
  readonly offers?: Offers;
  readonly values: FormValues;
  /** Other parameters of the URL to keep. */
  readonly kept?: Readonly<Record<string, string | undefined>>;
}

/** The filters of a list. */
export function Filter({ fields, offers, values, kept = {} }: FilterProps) {
  const hasSearch = Object.values(fields).some(({ kind }) => kind === "search");
  return (
    <form method="get" class={hasSearch ? "filter" : "filter narrow"} role={hasSearch ? "search" : undefined}>
      <FieldList fields={fields} offers={offers} state={freshForm(values)} />
      <HiddenFields values={kept} />
      <button type="submit" class={hasSearch ? undefined : "quiet"}>
        Show
      </button>
    </form>
  );
}

export interface ChoicesProps<Value extends string> {
  readonly values: readonly Value[];
  /** Returns the field name of a value's checkbox. */
  readonly nameOf: (value: Value) => string;
  readonly state: FormState;
  /** Explanations of the values. */
  readonly meanings?: Readonly<Record<Value, string>>;
}

/** Checkboxes for several values. */
export function Choices<Value extends string>({ values, nameOf, state, meanings }: ChoicesProps<Value>) {
  return (
    <>
      {values.map((value) => (
        <label class="choice">
          <input type="checkbox" name={nameOf(value)} checked={state.values[nameOf(value)] !== undefined} />{" "}
          <span>
            <code>{value}</code> {meanings !== undefined && <span class="soft">{meanings[value]}</span>}
          </span>
        </label>
      ))}
    </>
  );
}
