import type { Area } from "../dialect.ts";
import { createBlog, createPost, listBlogs, listPosts } from "./blogs.ts";
import { deleteAsset, importAsset, listAssets, patchAsset, uploadAsset } from "./library.ts";
import * as others from "./other-records.ts";
import { deletePage, getPage, getRawPage, listPages, postPage, putPage } from "./pages.ts";
import type { Answer, Call } from "./wire.ts";

export interface Route {
  readonly method: string;
  readonly path: string;
  readonly answer: (call: Call) => Answer | Promise<Answer>;
  readonly area: Area | undefined;
}

type Handler = Route["answer"];

function row(line: string, answer: Handler, area?: Area): Route {
  const [method = "", path = ""] = line.split(" ");
  return { method, path, answer, area };
}

// The two tables of the specification, row by row.
export const ROUTES: Readonly<Record<"a" | "b", readonly Route[]>> = {
  a: [
    row("GET /api/pages", listPages),
    row("GET /api/pages/:x", getPage),
    row("PUT /api/pages/:x", putPage, "pages"),
    row("DELETE /api/pages/:x", deletePage),
    row("GET /api/sites", others.listRecords("sites"), "sites"),
    row("POST /api/sites", others.createRecord("sites"), "sites"),
    row("GET /api/sites/:x", others.getRecord("sites"), "sites"),
    row("PATCH /api/sites/:x", others.changeRecord("sites"), "sites"),
    row("DELETE /api/sites/:x", others.deleteRecord("sites"), "sites"),
    row("GET /api/library", listAssets, "library"),
    row("POST /api/library", uploadAsset, "upload"),
    row("PATCH /api/library/:x", patchAsset),
    row("DELETE /api/library/:x", deleteAsset),
    row("GET /api/blogs", listBlogs, "blogs"),
    row("POST /api/blogs", createBlog, "blogs"),
    row("GET /api/blogs/:x/posts", listPosts, "blogs"),
    row("POST /api/blogs/:x/posts", createPost, "blogs"),
    row("GET /api/analytics/pages", others.answerNothingYet("pages"), "analytics"),
    row("GET /api/forms", others.answerNothingYet("forms"), "forms"),
    row("GET /api/forms/:x", others.answerNothingYet("submissions"), "forms"),
    row("DELETE /api/forms/:x/:y", others.answerNoSuchRecord, "forms"),
    row("GET /api/custom-domains", others.listRecords("domains"), "domains"),
    row("POST /api/custom-domains", others.createRecord("domains"), "domains"),
    row("PATCH /api/custom-domains/:x", others.changeRecord("domains"), "domains"),
    row("DELETE /api/custom-domains/:x", others.deleteRecord("domains"), "domains"),
    row("GET /api/brand-kits", others.listRecords("brandKits"), "brandKits"),
    row("POST /api/brand-kits", others.createRecord("brandKits"), "brandKits"),
    row("POST /api/brand-kits/extract", others.extractBrand, "brandKits"),
    row("GET /api/brand-kits/:x", others.getRecord("brandKits"), "brandKits"),
    row("PUT /api/brand-kits/:x", others.changeRecord("brandKits"), "brandKits"),
    row("DELETE /api/brand-kits/:x", others.deleteRecord("brandKits"), "brandKits"),
  ],
  b: [
    row("POST /api/pages", postPage, "pages"),
    row("GET /api/pages", listPages),
    row("PUT /api/pages/:x", putPage, "pages"),
    row("DELETE /api/pages/:x", deletePage),
    row("GET /api/pages/:x/raw", getRawPage),
    row("POST /api/sites", others.createRecord("sites"), "sites"),
    row("GET /api/sites", others.listRecords("sites"), "sites"),
    row("PUT /api/sites/:x", others.changeRecord("sites"), "sites"),
    row("POST /api/assets/upload", uploadAsset, "upload"),
    row("POST /api/assets/import", importAsset, "upload"),
    row("GET /api/assets", listAssets),
    row("POST /api/blogs", createBlog, "blogs"),
    row("POST /api/blogs/:x/posts", createPost, "blogs"),
    row("GET /api/blogs/:x/posts", listPosts, "blogs"),
    row("GET /api/analytics/pages/:x", others.answerNothingYet("visits"), "analytics"),
    row("GET /api/analytics/heatmaps", others.answerNothingYet("clicks"), "analytics"),
    row("GET /api/analytics/scroll-depth", others.answerNothingYet("depths"), "analytics"),
    row("GET /api/forms/:x/submissions", others.answerNothingYet("submissions"), "forms"),
    row("POST /api/forms/export", others.answerNothingYet("submissions"), "forms"),
    row("POST /api/custom-domains", others.createRecord("domains"), "domains"),
    row("GET /api/custom-domains", others.listRecords("domains"), "domains"),
    row("DELETE /api/custom-domains/:x", others.deleteRecord("domains"), "domains"),
    row("POST /api/brand-kits", others.createRecord("brandKits"), "brandKits"),
    row("POST /api/brand-kits/extract", others.extractBrand, "brandKits"),
    row("GET /api/brand-kits", others.listRecords("brandKits"), "brandKits"),
    row("POST /oauth/authorize", others.answerOAuth),
    row("POST /oauth/token", others.answerOAuth),
  ],
};

export interface Found {
  readonly route: Route | undefined;
  readonly params: readonly string[];
  /** Allowed methods of the path. */
  readonly allowed: readonly string[];
}

/** Finds the route of a request; a fixed path takes precedence over a parameter. */
export function findRoute(routeSet: "a" | "b", method: string, path: string): Found {
  const matches = ROUTES[routeSet].flatMap((route) => {
    const params = matchPath(route.path, path);
    return params === undefined ? [] : [{ route, params }];
  });
  const fixed = matches.toSorted((one, other) => one.params.length - other.params.length);
  const match = fixed.find(({ route }) => route.method === method);
  return { route: match?.route, params: match?.params ?? [], allowed: matches.map(({ route }) => route.method) };
}

function matchPath(pattern: string, path: string): readonly string[] | undefined {
  const [wanted, given] = [pattern.split("/"), path.split("/")];
  if (wanted.length !== given.length) return undefined;
  const params: string[] = [];
  for (const [index, part] of wanted.entries()) {
    const value = decodeURIComponent(given[index] ?? "");
    if (part.startsWith(":") && value !== "") params.push(value);
    else if (part !== value) return undefined;
  }
  return params;
}
