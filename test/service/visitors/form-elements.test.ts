import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseByStandard } from "../../../src/html/parse.ts";
import { visitElements, type HtmlElement } from "../../../src/html/tree.ts";
import { findForms } from "../../../src/service/resources/forms.ts";

const PLACE = { slug: "contact", url: "http://127.0.0.1:4401/p/contact" };

function namesOf(html: string): readonly string[] {
  return findForms(html, PLACE).map(({ name }) => name);
}

const PARTS = [
  "<input name=a>",
  "<input name=b />",
  "<select name=c><option>x</select>",
  "<textarea name=d><form></textarea>",
  "text &amp; <br>",
  "<!-- <input name=no> -->",
  "<script>'<input name=no>'</script>",
  "<svg><g/><path></path></svg>",
];

// How browsers treat a form within a form depends on the elements around it; nobody writes that.
function nests(html: string): boolean {
  let [depth, deepest] = [0, 0];
  for (const [tag] of html.matchAll(/<form method|<\/form>|<\/?template>/g)) {
    if (tag.includes("template")) continue;
    depth += tag === "</form>" ? -1 : 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest > 1;
}

/** The field names of each form, according to the standard. */
function fieldsInTree(html: string): readonly (readonly string[])[] {
  const forms = new Map<HtmlElement, Set<string>>();
  const around = new Map<HtmlElement | undefined, HtmlElement | undefined>();
  visitElements(parseByStandard(html), (element) => {
    const form = element.tagName === "form" ? element : around.get(element.parent);
    around.set(element, form);
    if (element.tagName === "form") forms.set(element, new Set());
    const isControl = ["input", "select", "textarea"].includes(element.tagName);
    if (form !== undefined && isControl) forms.get(form)?.add(element.attrs[0]?.value ?? "");
  });
  return [...forms.values()].map((names) => [...names]);
}

describe("forms of a page", () => {
  it.each([
    ["by name", '<form method="post" name="contact" id="x"></form>', ["contact"]],
    ["by id", '<form method="post" id="x"></form>', ["x"]],
    ["by position", '<form></form><form method="POST"></form>', ["form-2"]],
    ["with a number if the name is taken", "<form method=post name=a></form><form method=post name=a>", ["a", "a-2"]],
  ])("are named %s", (_how, html, names) => {
    expect(namesOf(html)).toEqual(names);
  });

  it.each([
    ["GET", "<form></form>"],
    ["a dialog", '<form method="dialog"></form>'],
    ["another host", '<form method="post" action="https://example.org/p/contact"></form>'],
    ["another page", '<form method="post" action="/p/other"></form>'],
    ["a program", '<form method="post" action="mailto:a@example.org"></form>'],
    ["text that looks like one", "<p>&lt;form method=post></p><!-- <form method=post> -->"],
    ["a script", '<script>"<form method=post></form>"</script>'],
    ["no form", "<formula method=post></formula>"],
  ])("are ignored: %s", (_where, html) => {
    expect(findForms(html, PLACE)).toEqual([]);
  });

  it.each(["", " ", "/p/contact", "/p/contact/", "?a=1", "#top", "contact", "http://127.0.0.1:4401/p/contact"])(
    "can refer to their own page as %j",
    (action) => {
      const [form] = findForms(`<form method="post" action="${action}"><input name="a"></form>`, PLACE);
      expect(form?.actionSlug).toBe("contact");
    },
  );

  it("resolve their action against the document's base address, unless it is empty", () => {
    const html = '<base href="https://example.org/"><form method=post></form><form method=post action="p/contact">';
    expect(namesOf(html)).toEqual(["form-1"]);
  });

  it.each(["netlify", "data-netlify=true"])(
    "with %s can lead to the page that is shown after submission",
    (attribute) => {
      const html = `<form name="contact" method="post" ${attribute} action="/p/thanks"><input name="a"></form>`;
      expect(findForms(html, PLACE)).toMatchObject([{ name: "contact", actionSlug: "thanks" }]);
    },
  );

  it.each(["netlify", "data-netlify=true"])(
    "with %s may be without a method, since a script sends them",
    (attribute) => {
      expect(namesOf(`<form name="contact" ${attribute}></form>`)).toEqual(["contact"]);
      expect(namesOf(`<form name="search" method="get" ${attribute}></form>`)).toEqual([]);
    },
  );

  it("have the fields that a browser sends as text", () => {
    const html = `<form method="post" netlify-honeypot="trap">
      <input type="hidden" name="form-name" value="x"><input type="hidden" name="_next" value="/p/x">
      <input name="trap"><input name="name" required><input type="EMAIL" name="email">
      <select name="topic"></select><textarea name="text" required></textarea>
      <input type="radio" name="size"><input type="radio" name="size" required>
      <input type="file" name="file"><input type="submit" name="go"><button name="go"></button><input>
    </form>`;
    const [form] = findForms(html, PLACE);
    expect(form?.honeypot).toBe("trap");
    expect(form?.fields).toEqual([
      { name: "name", type: "text", required: true },
      { name: "email", type: "email", required: false },
      { name: "topic", type: "select", required: false },
      { name: "text", type: "textarea", required: true },
      { name: "size", type: "radio", required: true },
    ]);
  });

  it("own the fields that reference them, and lose those that reference another form", () => {
    const html = `<form id="a" method="post"><input name="one"><input name="two" form="b"></form>
      <form id="b" method="post"></form><input name="three" form="a"><input name="four">`;
    const fields = findForms(html, PLACE).map((form) => form.fields.map(({ name }) => name));
    expect(fields).toEqual([["one", "three"], ["two"]]);
  });

  it("are found in a page nested deeper than the call stack", () => {
    expect(namesOf(`${"<b>".repeat(20_000)}<form method=post name=deep>`)).toEqual(["deep"]);
  });

  it("have the same fields as in the DOM, however its elements are nested", () => {
    const inner = fc.letrec<{ readonly node: string }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(...PARTS),
        fc
          .tuple(fc.constantFrom("div", "section", "fieldset", "ul"), fc.array(tie("node"), { maxLength: 4 }))
          .map(([name, children]) => `<${name}>${children.join("")}</${name}>`),
        fc.array(tie("node"), { maxLength: 4 }).map((nodes) => `<form method="post" class=f>${nodes.join("")}</form>`),
        fc.array(tie("node"), { maxLength: 4 }).map((nodes) => `<template>${nodes.join("")}</template>`),
      ),
    })).node;
    fc.assert(
      fc.property(fc.array(inner, { maxLength: 8 }), (nodes) => {
        const html = `<!doctype html><body>${nodes.join("")}</body>`;
        fc.pre(!nests(html));
        const found = findForms(html, PLACE).map(({ fields }) => fields.map(({ name }) => name));
        expect(found).toEqual(fieldsInTree(html));
      }),
    );
  });

  it("are found after text that only looks like a tag", () => {
    const html = `<script/></script><script><!-- <script></script> <form method=post name=no> --></script>
      <svg><title/><style/><g/></svg><!-- <form> --><textarea><form method=post name=no></textarea><title></title>
      <a ${"x ".repeat(3)}"quoted>"><form method=post name=yes><p><input name=a></form><input name=b>`;
    expect(findForms(html, PLACE).map(({ name, fields }) => [name, fields.length])).toEqual([["yes", 1]]);
  });

  it("keep the fields after their end tag in an element that is still open", () => {
    const html = `<form method=post><div><input name=a></form><input name=b></div><input name=c>`;
    expect(findForms(html, PLACE)[0]?.fields.map(({ name }) => name)).toEqual(["a", "b"]);
  });

  it("have distinct names and fields, whatever the HTML", () => {
    const part = fc.constantFrom(
      ...[
        "<form method=post",
        " name=a",
        " id=b",
        " netlify",
        ">",
        "</form>",
        "<input name=x",
        " required",
        " type=email",
      ],
      ...[
        "<input name=y form=b>",
        "<template>",
        "</template>",
        "<table>",
        "<tr>",
        "<select name=s>",
        "<!--",
        "-->",
        "<textarea name=t>",
      ],
      ...[
        '"',
        "'",
        "<",
        "&",
        "<base href=//x>",
        " action=/p/contact",
        "</table>",
        "</textarea>",
        "<script>",
        "</script>",
      ],
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(part, fc.string()), { maxLength: 40 }), (parts) => {
        const forms = findForms(parts.join(""), PLACE);
        expect(new Set(forms.map(({ name }) => name)).size).toBe(forms.length);
        for (const { fields, name } of forms) {
          expect(name).not.toBe("");
          expect(new Set(fields.map((field) => field.name)).size).toBe(fields.length);
        }
      }),
    );
  });
});
