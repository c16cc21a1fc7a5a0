import type { Child } from "hono/jsx";
import type { FormState } from "../form-state.ts";

interface FieldProps {
  readonly state: FormState;
  readonly name: string;
  readonly label: string;
  /** Below the field: what it is for. */
  readonly hint?: string | undefined;
}

interface TextProps extends FieldProps {
  readonly type?: "text" | "url" | "email" | "date" | "datetime-local";
  readonly required?: boolean;
  /** Texts that the browser offers while one types. */
  readonly list?: readonly string[];
}

/** One line of text, with what is wrong with it. */
export function TextField({ state, name, label, hint, list, type = "text", required = false }: TextProps) {
  const listId = list === undefined ? undefined : `${name}-list`;
  const described = descriptionOf(state, { name, hint });
  return (
    <Labelled state={state} name={name} label={label} hint={hint}>
      <input {...{ id: name, name, type, required, list: listId, value: state.values[name] ?? "" }} {...described} />
      {list !== undefined && (
        <datalist id={listId}>
          {list.map((text) => (
            <option value={text} />
          ))}
        </datalist>
      )}
    </Labelled>
  );
}

interface LongTextProps extends FieldProps {
  readonly rows?: number;
  /** Long forms of text are written in a face that shows every character. */
  readonly kind?: "prose" | "source";
}

/** Several lines of text. */
export function TextArea({ state, name, label, hint, rows = 3, kind = "prose" }: LongTextProps) {
  return (
    <Labelled state={state} name={name} label={label} hint={hint}>
      <textarea id={name} name={name} rows={rows} class={kind} {...descriptionOf(state, { name, hint })}>
        {/* HTML drops a line break at the start, which would be one of the text. */}
        {`\n${state.values[name] ?? ""}`}
      </textarea>
    </Labelled>
  );
}

interface ChoiceProps extends FieldProps {
  /** Values with what a person reads for them. */
  readonly options: readonly (readonly [value: string, text: string])[];
}

/** One of several values. */
export function ChoiceField({ state, name, label, hint, options }: ChoiceProps) {
  const texts = new Map(options);
  return (
    <Labelled state={state} name={name} label={label} hint={hint} show={(value) => texts.get(value) ?? value}>
      <select id={name} name={name} {...descriptionOf(state, { name, hint })}>
        {options.map(([value, text]) => (
          <option value={value} selected={value === (state.values[name] ?? "")}>
            {text}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

/** What is wrong with a form as a whole. */
export function FormProblem({ state }: { readonly state: FormState }) {
  const count = Object.keys(state.errors).length;
  if (state.problem === undefined && count === 0) return <></>;
  return (
    <p class="warning" role="alert">
      {state.problem ?? "Nothing is saved yet: please look at what is marked below."}
    </p>
  );
}

interface LabelledProps extends FieldProps {
  readonly children: Child;
  /** What a person reads for a value. Default: the value. */
  readonly show?: (value: string) => string;
}

function Labelled({ state, name, label, hint, children, show = (value) => value }: LabelledProps) {
  const error = state.errors[name];
  const saved = state.saved?.[name];
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {children}
      {error !== undefined && (
        <p class="error" id={`${name}-error`}>
          {error}
        </p>
      )}
      {saved !== undefined && saved !== state.values[name] && (
        <p class="hint saved">Saved meanwhile: {saved === "" ? <em>nothing</em> : <strong>{show(saved)}</strong>}</p>
      )}
      {hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

function descriptionOf(
  { errors }: FormState,
  { name, hint }: { readonly name: string; readonly hint: string | undefined },
) {
  const isWrong = errors[name] !== undefined;
  const ids = [...(isWrong ? [`${name}-error`] : []), ...(hint === undefined ? [] : [`${name}-hint`])];
  return {
    "aria-invalid": isWrong ? "true" : undefined,
    "aria-describedby": ids.length === 0 ? undefined : ids.join(" "),
  } as const;
}
