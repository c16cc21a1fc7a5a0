import * as z from "zod";

/**
 * The single definition of a kind of record: fields with titles and descriptions for OpenAPI, MCP tools, forms, columns
 * and the command line. Every response contains `minimum`, and nothing else in `strict` mode; `full` adds what our
 * service returns beyond the specification.
 */
export interface RecordContract<Minimum extends z.ZodObject = z.ZodObject, Full extends z.ZodObject = z.ZodObject> {
  /** Name of the component in OpenAPI documents, such as `BrandKit`. */
  readonly label: string;
  readonly minimum: Minimum;
  readonly full: Full;
}

export type FieldName<Contract extends RecordContract> = keyof Contract["full"]["shape"] & string;

/**
 * A record in memory: times are `Date`, lists are readonly. A field is a time if its name ends in `At`, `Since` or
 * `Until`, or is `at` or `latest`.
 */
export type InMemory<Value> = Value extends readonly (infer Item)[]
  ? readonly InMemory<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Name extends TimeName ? AsDate<Value[Name]> : InMemory<Value[Name]> }
    : Value;

type TimeName = `${string}At` | `${string}Since` | `${string}Until` | "at" | "latest";
type AsDate<Value> = Value extends string ? Date : Value;

export interface RecordField {
  readonly name: string;
  /** Label of a column or a form field, such as `Cover image`. */
  readonly title: string;
  /** One or two sentences. */
  readonly description: string;
  readonly schema: z.ZodType;
}

export function fieldsOf({ full }: RecordContract): readonly RecordField[] {
  return Object.entries(full.shape).map(([name, schema]) => {
    const { title = name, description = "" } = z.globalRegistry.get(schema) ?? {};
    return { name, title, description, schema: schema as z.ZodType };
  });
}

export function titlesOf<Contract extends RecordContract>(
  record: Contract,
): Readonly<Record<FieldName<Contract>, string>> {
  return Object.fromEntries(fieldsOf(record).map(({ name, title }) => [name, title])) as Record<
    FieldName<Contract>,
    string
  >;
}

/** Returns the label of a field, such as `Excerpt` for `excerpt`. */
export function titleOf<Contract extends RecordContract>(record: Contract, field: FieldName<Contract>): string {
  return z.globalRegistry.get(record.full.shape[field] as z.ZodType)?.title ?? field;
}

export const timestamp = z.iso.datetime();
export const timeOrNull = timestamp.nullable();
export const count = z.int().nonnegative();
export const countOrNull = count.nullable();
export const textOrNull = z.string().nullable();

export const id = z.string().meta({ title: "ID", description: "Unique and permanent." });
export const createdAt = timestamp.meta({ title: "Created", description: "When it was created." });
export const updatedAt = timestamp.meta({ title: "Updated", description: "When it last changed." });
export const name = z.string().meta({ title: "Name", description: "Display name." });
export const slug = z
  .string()
  .meta({ title: "Slug", description: "Lowercase letters, digits and hyphens, used in the address." });
export const siteId = textOrNull.meta({ title: "Site", description: "ID of the site it belongs to; null for none." });
export const version = count.meta({ title: "Version", description: "Increases with every change, starting at 1." });
export const pageId = z.string().meta({ title: "Page", description: "ID of the page." });
export const pageSlug = z.string().meta({ title: "Page", description: "Slug of the page." });

/** Creates the schemas on first use, as no run needs those of all records. */
export function record<Minimum extends z.ZodRawShape, Extra extends z.ZodRawShape>(
  label: string,
  makeMinimum: () => Minimum,
  makeExtra: () => Extra,
) {
  let minimum: z.ZodObject<Minimum> | undefined;
  let full: z.ZodObject<Minimum & Extra> | undefined;
  return {
    label,
    get minimum() {
      return (minimum ??= z.object(makeMinimum()));
    },
    get full() {
      return (full ??= z.object({ ...this.minimum.shape, ...makeExtra() }));
    },
  };
}

/** A record that only our service has. It is absent in `strict` mode, so it has only one form. */
export function extensionRecord<Shape extends z.ZodRawShape>(label: string, makeShape: () => Shape) {
  return record(label, makeShape, () => ({}));
}
