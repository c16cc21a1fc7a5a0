import type { FilePicture } from "../../../contract/project-files.ts";
import { found } from "../../resources/fields.ts";
import { ProblemError } from "../../http/problem.ts";
import { paramOf, type DashboardContext } from "../context.ts";
import { inspectPicture, receivePicture, SHOWN } from "./pictures.ts";
import { filesOf, pathOf } from "./project-files.ts";

/** Lists images of the project for the editor, newest first, by name. */
export async function listFilePictures(context: DashboardContext): Promise<Response> {
  const file = paramOf(context, "file");
  const { q = "" } = context.req.query();
  const pictures = await filesOf(context).listPictures(file);
  const wanted = pictures.filter(({ name }) => name.toLowerCase().includes(q.trim().toLowerCase()));
  return Response.json({ items: wanted.slice(0, SHOWN).map((picture) => describePicture(file, picture)) });
}

/** Adds an image to the project. */
export async function saveFilePicture(context: DashboardContext): Promise<Response> {
  const name = paramOf(context, "file");
  return await receivePicture(context, async ({ files: [file] }) => {
    if (file === undefined) throw new ProblemError("invalid_body", { detail: "Choose a picture first." });
    const bytes = new Uint8Array(await file.arrayBuffer());
    const accepted = await inspectPicture(context, file.name, bytes);
    const added = await filesOf(context).addPicture(name, { name: accepted.name, bytes });
    return describePicture(name, found(added, "post_not_found"));
  });
}

function describePicture(file: string, { name, address }: FilePicture) {
  const thumbnail = `${pathOf(file)}/pictures/shown?${new URLSearchParams({ address })}`;
  return { id: address, name, url: address, thumbnail };
}

/** Serves an image of the project to signed-in users. */
export async function showFilePicture(context: DashboardContext): Promise<Response> {
  const { address = "" } = context.req.query();
  const picture = await filesOf(context).readPicture(paramOf(context, "file"), address);
  const { bytes, contentType } = found(picture, "asset_not_found");
  return new Response(Buffer.from(bytes), {
    headers: {
      "Content-Type": contentType,
      // An SVG file that is opened directly must not act as the dashboard.
      "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "no-store",
    },
  });
}
