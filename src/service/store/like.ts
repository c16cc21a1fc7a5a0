/** A LIKE pattern that finds a text anywhere, its wildcards taken as they are; goes with `escape '\'`. */
export function likePattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}
