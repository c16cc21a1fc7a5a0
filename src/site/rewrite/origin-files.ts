import { contentTypeOf, kindOf } from "../content-type.ts";
import { usesPagefind } from "./pagefind.ts";
import { rewriteAddress, withoutQuotes, type Finding, type ScriptContext } from "./script-files.ts";
import { resolveIn } from "./text-context.ts";

const ORIGIN = String.raw`(?<![\w$.])(?:(?:window|self|globalThis|document)\.)?location\.origin`;
const SCRIPT = String.raw`(\/(?!\/)[^"'\`\s\\<>$?#]{1,500}\.m?js)(?:\?[^"'\`\s\\<>$]*)?(?=[#"'\`\\\s);,])`;
// `'importScripts("' + location.origin + '/lib.js")'`, `${location.origin}/lib.js`
const AFTER_ORIGIN = [
  new RegExp(String.raw`${ORIGIN}\s*\+\s*(["'\`])${SCRIPT}`, "g"),
  new RegExp(String.raw`\$\{\s*${ORIGIN}\s*\}()${SCRIPT}`, "g"),
];
// `require.toUrl("./worker.js")`
const TO_URL = /(?<![\w$.])[\w$]+\.toUrl\(\s*((["'`])(\.{1,2}\/[^"'`\s\\<>$?#]{1,500}\.[a-z0-9]{2,11})\2)\s*\)/gi;

/**
 * Finds files of the site that a script names by whole addresses, which it may hand to where the route map doesn't see
 * them, such as a worker of its own text.
 */
export function findOriginFiles(context: ScriptContext): readonly Finding[] {
  const { text } = context;
  return [
    ...(text.includes("location.origin") ? findAfterOrigin(context) : []),
    ...(text.includes(".toUrl(") ? findModuleFiles(context) : []),
  ];
}

function findAfterOrigin(context: ScriptContext): readonly Finding[] {
  const found = AFTER_ORIGIN.flatMap((pattern) => Array.from(context.text.matchAll(pattern)));
  return found.flatMap(({ index: start, 0: written, 1: quote = "", 2: address = "" }): readonly Finding[] => {
    const target = resolveIn(context, address);
    const isScript = target.kind === "file" && kindOf(contentTypeOf(target.path)) === "script";
    if (!isScript || usesPagefind(address)) return [];
    const placed = context.standAlone(target.path, context.settings.placement.scripts);
    if (placed === undefined) return [];
    const { address: published, ...rest } = placed;
    const edit = { start, end: start + written.length, text: quote + withoutQuotes(published) };
    return [{ ...rest, isScript: true, edit }];
  });
}

/** AMD resolves such a name against the module's own address. */
function findModuleFiles(context: ScriptContext): readonly Finding[] {
  if (kindOf(contentTypeOf(context.place.file)) !== "script") return [];
  return Array.from(context.text.matchAll(TO_URL)).flatMap(
    ({ index, 0: call, 1: literal = "", 3: address = "" }): readonly Finding[] => {
      const start = index + call.indexOf(literal);
      const end = start + literal.length;
      const finding = rewriteAddress({ kind: "string", address, start, end, use: undefined }, context);
      return finding.edit === undefined ? [finding] : [{ edit: { start: index, end: start, text: "(" } }, finding];
    },
  );
}
