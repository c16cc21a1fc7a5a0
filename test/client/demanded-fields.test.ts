import { describe, expect, it } from "vitest";
import { failure, testClient } from "./clients.ts";
import { startHost } from "./host.ts";

const POST = { slug: "first", title: "First", html: "<p>1", excerpt: undefined, tags: ["a"] };
const PAGE = { slug: "home", html: "<title>Home</title>", title: "Home" };

describe("the advice about a post", () => {
  it.each([
    [{ errors: [{ field: "categoryId", message: "A category is required" }] }, '"categoryId"'],
    [{ detail: [{ loc: ["body", "category_id"], msg: "Field required" }] }, '"category_id"'],
    [{ message: 'The field "section" is missing.' }, '"section"'],
    [{ message: "category is required" }, '"category"'],
    [{ error: "Validation failed: Category can't be blank" }, '"category"'],
    [{ error: "Category must be present, section is missing" }, '"category" and "section"'],
    ["Bad request. Field category is required.", '"category"'],
    ["Missing required field: category", '"category"'],
    [{ message: "field 'category' must be present" }, '"category"'],
    [{ message: '"category": "required"' }, '"category"'],
    [{ category: "required" }, '"category"'],
    [{ error: { category: "is required" } }, '"category"'],
    [{ errors: { category: ["can't be blank"] } }, '"category"'],
    [{ errors: { author_id: ["can't be blank"], section: ["is required"] } }, '"author_id" and "section"'],
  ])("that is refused with %j says that imprint doesn't send %s", async (body, names) => {
    const { baseUrl } = await startHost(() => ({ status: 422, body }));
    const { message, hint } = await failure(testClient({ baseUrl }).posts.create("1", POST));
    expect(message).toContain("(422)");
    expect(hint).toContain(`The service requires ${names} of a post. imprint doesn't send`);
    expect(hint).toContain('`posts.target: "pages"`');
  });

  it.each([
    { errors: [{ field: "excerpt", message: "An excerpt is required" }] },
    { errors: [{ field: "tags.0.name", message: "is required" }] },
    { errors: [{ field: "title", message: "must have at most 60 characters" }] },
    { message: "Something is missing." },
    { message: "Authentication is required." },
    { message: "A paid plan is required." },
    { message: "This field is required" },
    { message: "Your subscription is missing a payment method." },
    { message: "Input is required to be valid JSON" },
    { message: "Title is required" },
    { message: "The request is missing data: it can't be blank" },
    { status: "required", ok: false },
  ])("that is refused with %j doesn't say so", async (body) => {
    const { baseUrl } = await startHost(() => ({ status: 422, body }));
    expect((await failure(testClient({ baseUrl }).posts.create("1", POST))).hint ?? "").not.toContain("doesn't send");
  });
});

it("the advice about a page that lacks a field which imprint doesn't send says so", async () => {
  const body = { errors: [{ field: "templateId", message: "is required" }] };
  const { baseUrl } = await startHost(() => ({ status: 422, body }));
  const { hint } = await failure(testClient({ baseUrl }).pages.update(PAGE));
  expect(hint).toContain(
    'The service requires "templateId" of a page. imprint doesn\'t send it, and no option adds it',
  );
});
