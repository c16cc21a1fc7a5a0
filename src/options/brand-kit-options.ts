import * as z from "zod";
import { described } from "./described.ts";
import { nearestName } from "./nearest-name.ts";

const ROLES = ["background", "text", "heading", "link", "primary", "accent", "surface", "border"];
const KNOWN_ROLES = ROLES.flatMap((role) => [role, `dark-${role}`, `light-${role}`]);

const COLOR = "must be a color like #25c2a0";
const color = z.string(COLOR).regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i, COLOR);

// Custom roles are fine, but one that is close to a known role is probably a typo.
const colors = z.record(z.string(), color).superRefine((pinned, context) => {
  for (const role of Object.keys(pinned)) {
    if (KNOWN_ROLES.includes(role)) continue;
    const nearest = nearestName(role, KNOWN_ROLES);
    if (nearest !== undefined) {
      context.addIssue({ code: "custom", path: [role], message: `is not a role: the nearest is \`${nearest}\`` });
    } else if (!/^[a-z][a-z0-9-]{0,59}$/.test(role)) {
      context.addIssue({
        code: "custom",
        path: [role],
        message: "must be a role of lowercase letters, digits and hyphens",
      });
    }
  }
});

const family = z.string().trim().min(1, "must name a font family").max(120);
const file = z.string().min(1, "must name a file");

const fonts = z.strictObject({
  heading: described(family.optional(), "Font family of headings, without quotes or fallbacks: `Literata`."),
  body: described(family.optional(), "Font family of body text."),
  mono: described(family.optional(), "Font family of code."),
});

const logos = z.strictObject({
  light: described(
    file.optional(),
    "File of the logo for light backgrounds, relative to the project: `src/assets/logo.svg`.",
  ),
  dark: described(file.optional(), "File of the logo for dark backgrounds, relative to the project."),
  icon: described(file.optional(), "File of the icon for browser tabs, relative to the project."),
});

const selector = z.string().trim().min(1, "must be a CSS selector").max(500);

const frame = z.strictObject({
  header: described(
    selector.optional(),
    "CSS selector of the header on the home page, if imprint doesn't find it: `#top`.",
  ),
  footer: described(selector.optional(), "CSS selector of the footer on the home page."),
});

export const brandKitOptions = z.strictObject({
  name: described(z.string().trim().min(1).max(200).optional(), {
    description: "Name of the brand kit.",
    default: "the name of the site",
  }),
  colors: described(
    colors.default({}),
    "Colors by role, which override what imprint finds in the site: `background`, `text`, `heading`, `link`, `primary`, `accent`, `surface`, `border`, or a role of your own. A role with the prefix `dark-` or `light-` applies to that color scheme, and one without to the default scheme.",
  ),
  fonts: described(z.union([z.literal("library"), fonts]).prefault({}), {
    description:
      'Font families, which override what imprint finds in the site. `"library"`: those of the site, with a warning for each font that no Fontsource package in the project provides to the library.',
    type: '"library" | { heading?: string; body?: string; mono?: string }',
  }),
  frame: described(z.union([z.literal(false), frame]).prefault({}), {
    description:
      "Header, navigation, and footer of the home page, which the service's own pages show. With `false`, they show the logo and the name instead.",
    type: "false | { header?: string; footer?: string }",
  }),
  logos: described(logos.prefault({}), {
    description:
      "Logo files, which override what imprint finds in the site. imprint uploads them to the library; they don't have to be part of the built site.",
    type: "{ light?: string; dark?: string; icon?: string }",
  }),
});
