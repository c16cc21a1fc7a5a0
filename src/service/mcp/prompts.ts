import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";

const DEFAULT_DAYS = "30";

/** Registers prompts for common requests, which clients show as commands. */
export function registerPrompts(server: McpServer): void {
  server.registerPrompt(
    "publish",
    {
      title: "Publish this",
      description: "Make a web page of what you have here and publish it.",
      argsSchema: z.object({
        content: z.string().optional().describe("Text, HTML or topic. Default: what we talked about last."),
        slug: z.string().optional().describe("Name in the address. Default: made of the title."),
      }),
    },
    ({ content, slug }) => say(publishText(content, slug)),
  );
  server.registerPrompt(
    "report",
    {
      title: "How did my pages do?",
      description: "Report views, visitors and form submissions of the published pages.",
      argsSchema: z.object({
        days: z
          .string()
          .regex(/^[1-9]\d{0,2}$/, "is a number of days, 1 to 999")
          .optional()
          .describe("Default: 30."),
      }),
    },
    ({ days = DEFAULT_DAYS }) => say(reportText(days)),
  );
}

function say(text: string) {
  return { messages: [{ role: "user" as const, content: { type: "text" as const, text } }] };
}

function publishText(content = "what we talked about last", slug?: string): string {
  const address =
    slug === undefined
      ? "Choose a short slug; if pages_list shows one with the same subject, ask me whether to replace it."
      : `Use the slug "${slug}". If there is such a page, change it with pages_edit rather than replacing it.`;
  return `Publish this as a web page: ${content}

Make one complete HTML document with a title, a description, a language and a viewport, that reads well on a phone and \
needs no file from elsewhere. Put images into the library with assets_upload or assets_import and use their \`url\`. \
${address} Publish it with pages_put, then give me its public address.`;
}

function reportText(days: string): string {
  return `How did my pages do in the last ${days} days?

Call analytics_summary for these days and for as many before, then forms_list. Report in a few sentences: views and \
visitors and how they changed, the pages that did best and worst, and form submissions. Look closer with analytics_page \
only where something stands out. Name numbers; don't guess reasons.`;
}
