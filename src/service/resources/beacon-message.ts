import * as z from "zod";

// The names are short because a browser sends them with every view: `v` version of the page, `p` its id, `k` the view,
// `w` width of the window, `r` host of the referrer, `n` number of the message, `s` how far was scrolled in per cent,
// `e` seconds of looking, `h` height of the document, `c` clicks: thousandths of the width, pixels, selector.
const common = {
  v: z.int().min(1),
  p: z.string().regex(/^pg_[0-9A-Za-z]{22}$/),
  k: z.string().regex(/^[0-9a-z]{12,32}$/),
  w: z.int().min(0).max(100_000),
};

const MAX_CLICKS = 50;
const MAX_HEIGHT = 200_000;

const viewSchema = z.strictObject({ ...common, t: z.literal("view"), r: z.string().max(253).default("") });

const clickSchema = z.tuple([z.int().min(0).max(1000), z.int().min(0).max(MAX_HEIGHT), z.string().max(300)]);

const leaveSchema = z.strictObject({
  ...common,
  t: z.literal("leave"),
  n: z.int().min(1).max(1000),
  s: z.int().min(0).max(100),
  e: z.int().min(0),
  h: z.int().min(0).max(MAX_HEIGHT),
  c: z.array(clickSchema).max(MAX_CLICKS).default([]),
});

const messageSchema = z.discriminatedUnion("t", [viewSchema, leaveSchema]);

export type ViewMessage = z.infer<typeof viewSchema>;
export type LeaveMessage = z.infer<typeof leaveSchema>;
export type BeaconMessage = z.infer<typeof messageSchema>;

/** What the script in a page sends; `undefined` for everything else. */
export function parseBeaconMessage(text: string): BeaconMessage | undefined {
  try {
    return messageSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
