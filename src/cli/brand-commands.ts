import { Argument, Option, type Command } from "commander";
import type { CommandSetup } from "./account/define-commands.ts";
import type { BrandFlags } from "./commands/brand.ts";

const FORMATS = ["css", "dtcg", "tailwind", "shadcn", "json"];

/** `imprint brand …` */
export function addBrand(program: Command, { context, onExit }: CommandSetup): void {
  const brand = program.command("brand").description("Take colors, fonts and logos out of a site, and look at them.");
  const place = new Argument("[place]", "built folder or address of a site (default: the project's built folder)");

  brand
    .command("extract")
    .description("Show the brand kit of a site, with how certain each value is.")
    .addArgument(place)
    .option("--json", "print all findings with their evidence as JSON")
    .action(async (at: string | undefined, flags: BrandFlags) => {
      const { extractCommand } = await import("./commands/brand.ts");
      onExit(await extractCommand(at, flags, context));
    });
  brand
    .command("explain")
    .description("Show why a value is what it is.")
    .argument("<role>", "background, text, link, primary, accent, surface, border, heading, body, mono or logo")
    .addArgument(place)
    .action(async (role: string, at: string | undefined) => {
      const { explainCommand } = await import("./commands/brand.ts");
      onExit(await explainCommand(role, at, context));
    });
  brand
    .command("export")
    .description("Write the brand kit as code.")
    .addArgument(place)
    .addOption(new Option("--format <format>", "form of the kit").choices(FORMATS).default("css"))
    .option("--out <file>", "file to write (default: the standard output)")
    .action(async (at: string | undefined, flags: BrandFlags) => {
      const { exportBrandCommand } = await import("./commands/brand.ts");
      onExit(await exportBrandCommand(at, flags, context));
    });
  brand
    .command("sheet")
    .description("Write a page to look at: colors with their contrast, type specimens and logos, light and dark.")
    .addArgument(place)
    .option("--svg", "write a picture instead of a page")
    .option("--out <file>", "file to write", "brand-sheet.html")
    .action(async (at: string | undefined, flags: BrandFlags) => {
      const { sheetCommand } = await import("./commands/brand.ts");
      onExit(await sheetCommand(at, flags, context));
    });
}
