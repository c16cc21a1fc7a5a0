import { changesBetween, splitLines } from "../../../base/text-changes.ts";
import type { Fields, FormValues } from "../forms.ts";

/** Unchanged lines shown above and below a change. */
const CONTEXT = 2;

export interface ComparisonProps {
  readonly fields: Fields;
  readonly before: FormValues;
  readonly after: FormValues;
}

/** Shows the differences between two versions: short fields as a whole, the text by line. */
export function Comparison({ fields, before, after }: ComparisonProps) {
  const changed = Object.entries(fields).filter(([name]) => plain(before[name]) !== plain(after[name]));
  if (changed.length === 0) return <p>There are no differences.</p>;
  return (
    <>
      {changed.map(([name, field]) => {
        const [old, now] = [plain(before[name]), plain(after[name])];
        return (
          <div class="comparison">
            <h3>{field.label}</h3>
            {field.kind === "source" ? (
              <TextComparison label={field.label} before={old} after={now} />
            ) : (
              <p>
                <del>{shownValue(field.options, old)}</del> <ins>{shownValue(field.options, now)}</ins>
              </p>
            )}
          </div>
        );
      })}
    </>
  );
}

function plain(text = ""): string {
  return text.replaceAll(/\r\n?/g, "\n");
}

function shownValue(options: Fields[string]["options"], value: string): string {
  return options?.find(([each]) => each === value)?.[1] ?? (value === "" ? "nothing" : value);
}

interface Line {
  readonly kind: "same" | "del" | "ins" | "gap";
  readonly text: string;
}

function TextComparison({
  label,
  before,
  after,
}: {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}) {
  return (
    <pre class="lines" tabindex={0} role="region" aria-label={`Changes of ${label}`}>
      {compareLines(before, after).map(({ kind, text }) => {
        const line = text.replace(/\n$/, "");
        if (kind === "del") return <del>{`− ${line}\n`}</del>;
        if (kind === "ins") return <ins>{`+ ${line}\n`}</ins>;
        return <span class={kind === "gap" ? "soft" : undefined}>{`  ${line}\n`}</span>;
      })}
    </pre>
  );
}

function compareLines(before: string, after: string): readonly Line[] {
  const lines = splitLines(before);
  const shown: Line[] = [];
  let place = 0;
  const add = (kind: Line["kind"], texts: readonly string[]) =>
    void shown.push(...texts.map((text) => ({ kind, text })));
  for (const { start, end, lines: added } of changesBetween(lines, splitLines(after))) {
    if (start - place > 2 * CONTEXT + 1) {
      if (place > 0) add("same", lines.slice(place, place + CONTEXT));
      add("gap", ["…"]);
      place = start - CONTEXT;
    }
    add("same", lines.slice(Math.max(place, 0), start));
    add("del", lines.slice(start, end));
    add("ins", added);
    place = end;
  }
  add("same", lines.slice(place, place + CONTEXT));
  if (lines.length > place + CONTEXT) add("gap", ["…"]);
  return shown;
}
