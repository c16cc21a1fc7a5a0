import { nameOfUser } from "../../resources/asset-uses.ts";
import type { AssetUser } from "../../store/asset-uses.ts";
import { PublishState } from "../parts/lists.tsx";

/** Lists the users of a file as links. */
export function AssetUsers({ users }: { readonly users: readonly AssetUser[] }) {
  return (
    <ul class="plain-list">
      {users.map((user) => {
        const { kind, path } = describeUser(user);
        return (
          <li>
            {kind} <a href={path}>{user.title}</a>
            {(user.kind === "page" || user.kind === "post") && (
              <>
                {" "}
                <code>{nameOfUser(user)}</code> <PublishState of={user} />
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function describeUser(user: AssetUser): { readonly kind: string; readonly path: string } {
  switch (user.kind) {
    case "page":
      return { kind: "Page", path: `/edit/${user.id}` };
    case "post":
      return { kind: "Post", path: `/blogs/${user.blogSlug}/posts/${user.slug}` };
    case "blog":
      return { kind: "Blog", path: `/blogs/${user.slug}` };
    case "brand-kit":
      return { kind: "Brand kit", path: `/brand-kits/${user.id}` };
    case "file":
      return { kind: "File", path: `/library/${user.id}` };
  }
}
