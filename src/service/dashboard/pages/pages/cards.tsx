import type { Page } from "../../../store/pages.ts";
import { Preview } from "../../parts/preview.tsx";
import { Time } from "../../parts/values.tsx";
import { PageState } from "./state.tsx";

export interface PageCardsProps {
  readonly pages: readonly Page[];
  /** Of the titles. Default: `h2`, below the title of a page. */
  readonly level?: "h2" | "h3";
}

/** Pages as they look. */
export function PageCards({ pages, level: Heading = "h2" }: PageCardsProps) {
  return (
    <ul class="grid previews">
      {pages.map((page) => (
        <li class="card">
          <Preview pageId={page.id} title={page.title} />
          <div class="text">
            <Heading>
              <a href={`/edit/${page.id}`}>{page.title}</a>
            </Heading>
            <p class="soft">
              <PageState page={page} /> <Time at={page.updatedAt} />
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
