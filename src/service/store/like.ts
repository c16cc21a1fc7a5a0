/**
 * A LIKE pattern that finds a text anywhere, its wildcards taken as they are; goes with `lower(column)` and `escape '\'`.
 * Databases tell capitals apart or don't; in small letters both find the same.
 */
export function likePattern(text: string): string {
  return `%${toLower(text).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}

// `lower` of the databases changes the letters of ASCII only.
function toLower(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
