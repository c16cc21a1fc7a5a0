import * as z from "zod";
import { optionsSchema } from "../../src/options/schema.ts";

interface OptionRow {
  readonly path: string;
  readonly type: string;
  /** The least and greatest value, or length: `, from 0 to 1`. Empty if any is possible. */
  readonly range: string;
  readonly default: string | undefined;
  readonly description: string;
}

export function renderOptionsPage(): string {
  const rows = collectRows(optionsSchema, []);
  const sections = rows.map(
    (row) =>
      `## \`${row.path}\`\n\n${row.description}\n\n- Type: \`${row.type}\`${row.range}\n- Default: ${row.default === undefined ? "none" : defaultText(row.default)}\n`,
  );
  return `# Options

Options of \`imprint()\` in \`astro.config.mjs\`, and of \`imprint.config.mjs\`, which the command line reads first. All
options are checked before any work, and a misspelled one is reported with the nearest known name. The API key isn't an
option: set \`IMPRINT_API_KEY\` in the environment or in a \`.env\` file that you don't commit. \`npm run docs\` writes this
page from \`src/options/schema.ts\`, which also checks the options.

${sections.join("\n")}`;
}

function defaultText(text: string): string {
  return /^[a-z]+ [a-z]/i.test(text) ? text : `\`${text}\``;
}

function collectRows(schema: unknown, path: readonly string[]): readonly OptionRow[] {
  return Object.entries(shapeOf(schema) ?? {}).flatMap(([name, option]) => {
    const meta = metaOf(option);
    const here = [...path, name];
    const inner = collectRows(option, here);
    return meta === undefined ? inner : [{ path: here.join("."), ...meta }, ...inner];
  });
}

function metaOf(schema: unknown): Omit<OptionRow, "path"> | undefined {
  if (!(schema instanceof z.ZodType)) return undefined;
  const { description, type, default: byDefault } = schema.meta() ?? {};
  if (description === undefined) return undefined;
  return {
    description,
    type: typeof type === "string" ? type : typeOf(schema),
    range: rangeOf(schema),
    default: typeof byDefault === "string" ? byDefault : defaultOf(schema),
  };
}

/** Returns the TypeScript type of the input. */
function typeOf(schema: unknown): string {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return typeOf(schema.unwrap());
  }
  if (schema instanceof z.ZodPipe) return typeOf(schema.in);
  if (schema instanceof z.ZodUnion) return [...new Set(schema.options.map(typeOf))].join(" | ");
  if (schema instanceof z.ZodEnum) return schema.options.map((option) => JSON.stringify(option)).join(" | ");
  if (schema instanceof z.ZodLiteral) return [...schema.values].map((value) => JSON.stringify(value)).join(" | ");
  if (schema instanceof z.ZodRecord) return `Record<string, ${typeOf(schema.valueType)}>`;
  if (schema instanceof z.ZodArray) {
    const item = typeOf(schema.element);
    return item.includes("|") ? `(${item})[]` : `${item}[]`;
  }
  if (schema instanceof z.ZodBoolean) return "boolean";
  return schema instanceof z.ZodNumber ? "number" : "string";
}

function rangeOf(schema: unknown): string {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return rangeOf(schema.unwrap());
  }
  if (schema instanceof z.ZodString && schema.maxLength !== null) return `, at most ${schema.maxLength} characters`;
  if (!(schema instanceof z.ZodNumber) || schema.minValue === null) return "";
  const hasGreatest = schema.maxValue !== null && schema.maxValue < Number.MAX_SAFE_INTEGER;
  return hasGreatest ? `, from ${schema.minValue} to ${schema.maxValue}` : `, at least ${schema.minValue}`;
}

function defaultOf(schema: z.ZodType): string | undefined {
  const hasDefault = schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault;
  return hasDefault ? JSON.stringify(schema.def.defaultValue) : undefined;
}

/** Returns the shape of an object schema, also within defaults, optionals and unions. */
function shapeOf(schema: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!isObject(schema)) return undefined;
  if (isObject(schema["shape"])) return schema["shape"];
  const definition = isObject(schema["def"]) ? schema["def"] : {};
  const options: readonly unknown[] = Array.isArray(definition["options"]) ? definition["options"] : [];
  return [definition["innerType"], definition["in"], ...options].map(shapeOf).find((shape) => shape !== undefined);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
