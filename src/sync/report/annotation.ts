/** One annotation of a GitHub workflow. */
export interface Annotation {
  readonly level: "error" | "warning" | "notice";
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly title: string;
  readonly message: string;
}

/** The command that makes GitHub show a message at a line of a file. */
export function renderAnnotation({ level, file, line, column, title, message }: Annotation): string {
  const properties = Object.entries({ file, line, col: column, title })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  return `::${level} ${properties.join(",")}::${escapeMessage(message)}\n`;
}

// https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts
function escapeMessage(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
