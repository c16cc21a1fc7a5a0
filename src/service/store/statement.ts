import { sql, type Compilable, type CompiledQuery, type DialectAdapter, type RawBuilder } from "kysely";
import { decodeRow } from "./columns.ts";
import { findFreeSqlite } from "./direct-sqlite.ts";
import type { Database } from "./tables.ts";

/** What stands in a statement for a value that comes with each run. */
type ParameterOf<Parameters> = <Name extends keyof Parameters>(name: Name) => RawBuilder<Parameters[Name]>;

export type Statement<Parameters, Row> = (database: Database, parameters: Parameters) => Promise<readonly Row[]>;

/**
 * Makes a statement that is built once for each kind of database, for what runs with every request: building a query
 * takes longer than running it. Written in two calls, since TypeScript infers either all types or none.
 *
 * @example
 * const selectTitle = createStatement<{ id: string }>()((database, parameter) =>
 *   database.selectFrom("page").select("title").where("id", "=", parameter("id")),
 * );
 */
export function createStatement<Parameters extends object>() {
  return <Row>(
    build: (database: Database, parameter: ParameterOf<Parameters>) => Compilable<Row>,
  ): Statement<Parameters, Row> => {
    const known = new WeakMap<DialectAdapter, Prepared<Parameters, Row>>();

    function prepareFor(database: Database): Prepared<Parameters, Row> {
      const { adapter } = database.getExecutor();
      const prepared = known.get(adapter) ?? prepare<Parameters, Row>((parameter) => build(database, parameter));
      known.set(adapter, prepared);
      return prepared;
    }

    return async (database, parameters) => {
      const { compiled, values } = prepareFor(database);
      const bound = values.map(({ name, constant }) => (name === undefined ? constant : parameters[name]));
      const connection = findFreeSqlite(database);
      if (connection === undefined) {
        const { rows } = await database.executeQuery<Row>({ ...compiled, parameters: bound });
        return rows;
      }
      const statement = connection.prepare(compiled.sql);
      // Kysely takes a database at its word as well: the statement was built for these rows.
      if (statement.reader) return statement.all(bound).map((row) => decodeRow(Object(row))) as readonly Row[];
      statement.run(bound);
      return [];
    };
  };
}

/** A parameter for each of these columns, to insert a row. */
export function parametersFor<Parameters, Name extends keyof Parameters & string>(
  parameter: ParameterOf<Parameters>,
  names: readonly Name[],
) {
  const entries = names.map((name) => [name, parameter(name)] as const);
  return Object.fromEntries(entries) as { readonly [Each in Name]: RawBuilder<Parameters[Each]> };
}

/** The columns of the row that could not be inserted, to replace those of the row that is there. */
export function excluded<Name extends string>(names: readonly Name[]) {
  const entries = names.map((name) => [name, sql.ref(`excluded.${name}`)] as const);
  return Object.fromEntries(entries) as { readonly [Each in Name]: RawBuilder<never> };
}

interface Prepared<Parameters, Row> {
  readonly compiled: CompiledQuery<Row>;
  /** In the order of the statement: the name of a parameter, or a value that is always the same. */
  readonly values: readonly { readonly name: keyof Parameters | undefined; readonly constant: unknown }[];
}

function prepare<Parameters, Row>(
  build: (parameter: ParameterOf<Parameters>) => Compilable<Row>,
): Prepared<Parameters, Row> {
  const names = new Map<unknown, keyof Parameters>();
  const compiled = build((name) => {
    const mark = Object.freeze({});
    names.set(mark, name);
    return sql`${mark}`;
  }).compile();
  return { compiled, values: compiled.parameters.map((constant) => ({ name: names.get(constant), constant })) };
}
