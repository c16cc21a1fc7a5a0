import {
  readFields,
  refuse,
  renderList,
  requireText,
  withoutLate,
  type Answer,
  type Call,
  type Fields,
} from "./wire.ts";
import { shownId, type OtherRecord } from "./world.ts";

type Kind = "sites" | "brandKits" | "domains";
const PREFIX = { sites: "st", brandKits: "bk", domains: "do" } as const;
const NAMED_BY = { sites: "name", brandKits: "name", domains: "domain" } as const;

export function listRecords(kind: Kind): (call: Call) => Answer {
  return (call) => {
    const shown = withoutLate(call, call.world[kind].values());
    return renderList(
      call,
      kind,
      // No request returns a single domain.
      shown.map((record) => ({ ...render(call, kind, record), ...(kind === "domains" && record.fields) })),
    );
  };
}

export function createRecord(kind: Kind): (call: Call) => Promise<Answer> {
  return async (call) => {
    const fields = await readFields(call, "json");
    requireText(call, fields, NAMED_BY[kind]);
    checkColors(call, kind, fields["colors"]);
    const id = call.world.newId(PREFIX[kind]);
    const record = { id, fields, createdAt: call.world.now().toISOString() };
    call.world[kind].set(id, record);
    return { status: 201, json: render(call, kind, record) };
  };
}

export function getRecord(kind: Kind): (call: Call) => Answer {
  return (call) => ({ status: 200, json: { ...render(call, kind, find(call, kind)), ...find(call, kind).fields } });
}

export function changeRecord(kind: Kind): (call: Call) => Promise<Answer> {
  return async (call) => {
    const record = find(call, kind);
    const fields = await readFields(call, "json");
    checkColors(call, kind, fields["colors"]);
    const isReplaced = call.request.method === "PUT" && call.dialect.puts !== "merges";
    const changed = { ...record, fields: isReplaced ? knownFields(call, fields) : { ...record.fields, ...fields } };
    call.world[kind].set(record.id, changed);
    return { status: 200, json: render(call, kind, changed) };
  };
}

// What a host shows of others may be of another part of it, which this request doesn't set.
function knownFields({ dialect }: Call, fields: Fields): Fields {
  const others = Object.keys(fields).filter((name) => !OWN_FIELDS.includes(name));
  if (dialect.puts === "replaces" || others.length === 0) return fields;
  if (dialect.puts === "refuses") refuse(dialect.missingField, `Unknown fields: ${others.join(", ")}.`);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => OWN_FIELDS.includes(name)));
}

const OWN_FIELDS = ["name", "slug", "homeSlug", "brandKitId", "colors", "fonts", "logos", "design", "frame"];

export function deleteRecord(kind: Kind): (call: Call) => Answer {
  return (call) => {
    call.world[kind].delete(find(call, kind).id);
    return { status: 204 };
  };
}

/** Returns empty lists of metrics and submissions. */
export function answerNothingYet(name: string): (call: Call) => Answer {
  return (call) => renderList(call, name, []);
}

export async function extractBrand(call: Call): Promise<Answer> {
  requireText(call, await readFields(call, "json"), "url");
  return { status: 200, json: { colors: [], fonts: [], logos: [] } };
}

export function answerNoSuchRecord(): Answer {
  return refuse(404, "Not found.");
}

export function answerOAuth(): Answer {
  return refuse(400, "unsupported_grant_type");
}

function checkColors({ dialect }: Call, kind: Kind, colors: unknown): void {
  if (kind !== "brandKits" || dialect.brandColors === "any" || colors === undefined) return;
  if (!Array.isArray(colors)) refuse(dialect.missingField, `"colors" must be a list.`);
}

function find({ world, param }: Call, kind: Kind): OtherRecord {
  const record = world[kind].get(param) ?? [...world[kind].values()].find(({ fields }) => fields["domain"] === param);
  if (record === undefined) refuse(404, "Not found.");
  return record;
}

function render({ dialect }: Call, kind: Kind, { id, fields, createdAt }: OtherRecord) {
  const few = { id: shownId(dialect, id), [NAMED_BY[kind]]: fields[NAMED_BY[kind]] };
  if (dialect.lists.fields === "few") return few;
  return kind === "sites" ? { ...fields, ...few, createdAt } : { ...few, createdAt };
}
