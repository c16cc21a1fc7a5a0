/**
 * A migration, which is written for SQLite, as PostgreSQL takes it: the types of columns by their names there, texts in
 * the order of their bytes as in SQLite, no `strict`. A line `-- postgres: <statement>` is run by PostgreSQL only, the
 * statement that follows a line `-- sqlite:` by SQLite only.
 */
export function translateMigration(migration: string): string {
  return migration
    .replaceAll(/^-- sqlite:\n[^;]*;$/gm, "")
    .replaceAll(/^-- postgres: (.*)$/gm, "$1")
    .replaceAll(/--.*$/gm, "")
    .replaceAll(/^(\s*(?:alter table \w+ add column )?\w+ )(text|integer|real|blob)\b/gm, (_, column, type) => {
      return `${column}${TYPES[type] ?? type}`;
    })
    .replaceAll(/\)\s*strict(?:,\s*without rowid)?\s*;/g, ");");
}

const TYPES: Readonly<Record<string, string>> = {
  text: `text collate "C"`,
  integer: "bigint",
  real: "double precision",
  blob: "bytea",
};
