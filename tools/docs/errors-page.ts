import { ERRORS } from "../../src/base/error.ts";

export function renderErrorsPage(): string {
  const sections = Object.entries(ERRORS).map(([code, { title, fix }]) => `## ${code}\n\n${title}\n\n${fix}\n`);
  return `# Errors

All error codes, with what to do about them. Codes never change. During a build, Astro shows the error with a hint; the
command line exits with code 1, or 2 for invalid usage or options. \`npm run docs\` writes this page from
\`src/base/error.ts\`.

${sections.join("\n")}`;
}
