import type { Page } from "../../../store/pages.ts";
import { Preview } from "../../parts/preview.tsx";
import { Time } from "../../parts/values.tsx";
import { PageState } from "./state.tsx";

/** Pages as they look. */
export function PageCards({ pages }: { readonly pages: readonly Page[] }) {
  return (
    <ul class="grid previews">
      {pages.map((page) => (
        <li class="card">
          <Preview pageId={page.id} title={page.title} />
          <div class="text">
            <h2>
              <a href={`/edit/${page.id}`}>{page.title}</a>
            </h2>
            <p class="soft">
              <PageState page={page} /> <Time at={page.updatedAt} />
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
