import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { expect, it } from "vitest";
import { clientOf } from "../service/open-service.ts";
import { signInBy } from "../service/dashboard/signed-in.ts";
import type { PostsRun } from "../../src/cli/posts/sync-posts.ts";
import { command, openPostsProject, postText, outcomesOf } from "./posts-project.ts";

async function makePicture(background: string): Promise<Uint8Array<ArrayBuffer>> {
  const options = { create: { width: 40, height: 30, channels: 3, background } } as const;
  return new Uint8Array(await sharp(options).png().toBuffer());
}

const postOf = ({ outcomes }: PostsRun) => outcomes.find(({ resource }) => resource === "post");

it("reports that a picture was replaced on the service if an edited post isn't sent because of it", async () => {
  const project = await openPostsProject();
  const { root, service, sync, edit } = project;
  const picture = join(root, "src/content/blog/loaf.png");
  await project.write("bread.md", postText("Bread", "![A loaf](./loaf.png)\n\nRye."));
  await writeFile(picture, await makePicture("#a52"));
  expect(outcomesOf(await sync())).toContain("post bread: create done");
  const send = clientOf(service, { routeSet: "a" });
  const [loaf] = (await send("GET", "/api/library")).items;
  const { upload } = await signInBy(service, (await service.createSignInLink()).url);
  const done = await upload(`/library/${String(loaf?.["id"])}/replace`, [["roll.png", await makePicture("#fa0")]], {});
  expect(done.status).toBe(303);

  expect(postOf(await sync())).toMatchObject({
    kind: "keep",
    reason: "it was edited on the service since it was posted, or a file in it was replaced there",
    hint: "Copy the change into the file, then run `imprint posts ack bread`.",
  });
  await edit("bread.md", "Rye.", "Rye and spelt.");
  expect(postOf(await sync())).toMatchObject({
    kind: "blocked",
    reason: "it was edited here (1 line), and loaf.png was replaced or removed on the service",
    hint: expect.stringMatching(
      /^Also add the new file to your project\. Then run `imprint posts ack bread`, and the next run/,
    ),
  });

  await writeFile(picture, await makePicture("#fa0"));
  expect((await command(project, "ack", "bread")).code).toBe(0);
  expect(postOf(await sync())).toMatchObject({ kind: "update", status: "done" });
  expect(postOf(await sync())).toMatchObject({ kind: "keep", reason: "nothing changed" });
  await edit("bread.md", "Rye and spelt.", "Spelt.");
  expect(postOf(await sync())).toMatchObject({ kind: "update", status: "done" });
});

it("doesn't take a part of a picture for the picture", async () => {
  const { root, service, sync, write } = await openPostsProject();
  await write("bread.md", postText("Bread", "![A loaf](./loaf.png)"));
  await writeFile(join(root, "src/content/blog/loaf.png"), await makePicture("#a52"));
  await sync();
  const send = clientOf(service, { routeSet: "a" });
  const [loaf] = (await send("GET", "/api/library")).items;
  const { post } = await signInBy(service, (await service.createSignInLink()).url);
  const area = { left: "0", top: "0", width: "20", height: "10" };
  expect((await post(`/library/${String(loaf?.["id"])}/crop`, area)).status).toBe(303);
  // As in a CI job, which has no cache.
  await rm(join(root, ".imprint"), { recursive: true });
  expect(postOf(await sync())).toMatchObject({ kind: "keep", reason: "nothing changed" });
});
