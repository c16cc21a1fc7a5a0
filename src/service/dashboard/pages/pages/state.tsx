import { Badge } from "../../parts/values.tsx";

/** Whether readers see a page or post. */
export function PageState({ page }: { readonly page: { readonly status: "draft" | "published" } }) {
  return <Badge mood={page.status === "published" ? "good" : "soft"}>{page.status}</Badge>;
}
