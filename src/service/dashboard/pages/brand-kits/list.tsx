import { brandKitExtractBody } from "../../../../contract/requests.ts";
import { extractBrandKit, saveExtracted, storeLogos } from "../../../resources/extract-brand-kit.ts";
import { listBrandKits, type BrandKit } from "../../../store/brand-kits.ts";
import type { FormState } from "../../form-state.ts";
import { attempt, parseInput, readForm, textOrNull } from "../../forms.ts";
import { FormProblem, TextField } from "../../parts/fields.tsx";
import { Empty, Older, windowOf } from "../../parts/lists.tsx";
import { renderShell } from "../../parts/shell.tsx";
import { write, type DashboardContext } from "../../scene.ts";
import { Swatches } from "./swatches.tsx";

/** `/brand-kits` */
export async function showKits(context: DashboardContext, state: FormState): Promise<Response> {
  const { scene } = context.var;
  const { items, next } = await listBrandKits(scene.records.database, scene.records.accountId, windowOf(context));
  return renderShell(
    scene,
    { title: "Brand kits", section: "/brand-kits", notice: context.req.query("notice"), status: state.status },
    <>
      {items.length === 0 ? (
        <Empty>
          <p>
            A brand kit holds the colors, fonts and logos of a site. The pages that this service makes itself, such as
            thanks for a form, take their look from it. There is none yet.
          </p>
        </Empty>
      ) : (
        <ul class="grid">
          {items.map((kit) => (
            <KitCard kit={kit} />
          ))}
        </ul>
      )}
      <Older next={next} />
      <h2>Take one from a website</h2>
      <form method="post" action="/brand-kits" class="panel">
        <FormProblem state={state} />
        <TextField
          state={state}
          name="url"
          label="Address"
          type="url"
          required
          hint="Its pages and styles are read, which takes a few seconds. No script of it runs."
        />
        <TextField state={state} name="name" label="Name" hint="Empty: the name that the website gives itself." />
        <button type="submit">Take the brand kit</button>
      </form>
    </>,
  );
}

function KitCard({ kit }: { readonly kit: BrandKit }) {
  const families = [...new Set(kit.fonts.map(({ family }) => family))].join(", ");
  return (
    <li class="card">
      <Swatches colors={kit.colors} />
      <div class="text">
        <h2>
          <a href={`/brand-kits/${kit.id}`}>{kit.name}</a>
        </h2>
        <p class="soft">{families === "" ? "No fonts" : families}</p>
      </div>
    </li>
  );
}

/** Does what `brandKits.extract` does with `save`, behind the same gate. */
export async function extractKit(context: DashboardContext): Promise<Response> {
  const { scene } = context.var;
  const { values } = await readForm(context);
  return await attempt({
    values,
    async accept() {
      const name = textOrNull(values["name"]) ?? undefined;
      const body = parseInput(brandKitExtractBody, { url: values["url"], name });
      const kit = await scene.core.imports.run(async () => {
        const extracted = await extractBrandKit(scene.records, body);
        const logos = await storeLogos(scene.records, extracted);
        return await write(scene, (records) => saveExtracted(records, extracted, logos));
      });
      return context.redirect(`/brand-kits/${kit.id}?notice=kit-extracted`, 303);
    },
    again: (state) => showKits(context, state),
  });
}
