import { expect, test } from "vitest";
import type { Service } from "../../../src/service.ts";
import { clientOf, openService } from "../open-service.ts";
import { CONTACT, publishPage, submit } from "../visitors/visiting.ts";
import { inviteAs } from "../people/signed-in-as.ts";
import { signIn } from "./signed-in.ts";

async function openContact(): Promise<{ readonly service: Service; readonly formId: string }> {
  const service = openService();
  await publishPage(service, "contact", CONTACT);
  const { items } = await clientOf(service, { routeSet: "a" })("GET", "/api/forms");
  return { service, formId: String(items[0]?.["id"]) };
}

async function findSubmission(service: Service, at = 0): Promise<string> {
  const { items } = await clientOf(service, { routeSet: "a" })("GET", "/api/forms/contact");
  return String(items[at]?.["submissionId"]);
}

test("a form lists its submissions, with visitor input as text", async () => {
  const { service, formId } = await openContact();
  await submit(service, "contact", { fields: { name: "<b>Ida</b>", email: "ida@example.org", message: "Hello" } });
  const { get } = await signIn(service);
  const list = await (await get("/forms")).text();
  const html = await (await get(`/forms/${formId}`)).text();
  expect(list).toContain(`<a href="/forms/${formId}">Form on contact</a>`);
  expect(html).toContain(">Form on contact</h1>");
  expect(html).toContain("&lt;b&gt;Ida&lt;/b&gt;");
  expect(html).not.toContain("<b>Ida");
  expect(html).toContain("ida@example.org");
});

test("spam is listed separately, and leads can be shown alone", async () => {
  const { service, formId } = await openContact();
  await submit(service, "contact", { fields: { name: "One", email: "one@example.org" } });
  await submit(service, "contact", { fields: { name: "Again", email: "one@example.org" } });
  await submit(service, "contact", { fields: { name: "Robot", website: "https://spam.example" } });
  const { get } = await signIn(service);
  const all = await (await get(`/forms/${formId}`)).text();
  const leads = await (await get(`/forms/${formId}?show=leads`)).text();
  const spam = await (await get(`/forms/${formId}?show=spam`)).text();
  const names = [all, leads, spam].map((html) =>
    ["One", "Again", "Robot"].filter((name) => html.includes(`>${name}<`)),
  );
  expect(names).toEqual([["One", "Again"], ["One"], ["Robot"]]);
  expect(all).toMatch(/Everything 2.*Leads 1.*Spam 1/s);
});

test("a form that got only spam says so, and not that no one has submitted it", async () => {
  const { service, formId } = await openContact();
  await submit(service, "contact", { fields: { name: "Robot", website: "https://spam.example" } });
  const { get } = await signIn(service);
  const html = await (await get(`/forms/${formId}`)).text();
  expect(html).toContain(`There is only <a href="/forms/${formId}?show=spam">spam: 1 submission</a>.`);
  expect(html).not.toContain("No one has submitted");
});

test("a form's export is identical to the API's", async () => {
  const { service, formId } = await openContact();
  await submit(service, "contact", { fields: { name: "=1+1", email: "one@example.org" } });
  await submit(service, "contact", { fields: { name: "Again", email: "one@example.org" } });
  const { get } = await signIn(service);
  const all = await get(`/forms/${formId}/submissions.csv`);
  const leads = await get(`/forms/${formId}/submissions.csv?show=leads`);
  const api = await clientOf(service, { routeSet: "b" })("POST", "/api/forms/export", { json: { formId } });
  expect(all.headers.get("Content-Disposition")).toMatch(/^attachment; filename="contact-\d{4}-\d\d-\d\d\.csv"$/);
  expect(await all.text()).toBe(api.text);
  expect(await leads.text()).not.toContain("Again");
});

test("a submission can be answered by email, and its address can't inject anything into the email", async () => {
  const { service, formId } = await openContact();
  await submit(service, "contact", { fields: { name: "Ida", email: "a?bcc=x&y@example.org" } });
  const { get } = await signIn(service);
  const shown = await (await get(`/forms/${formId}/${await findSubmission(service)}`)).text();
  expect(/href="(mailto:[^"]*)"/.exec(shown)?.[1]).toMatch(
    /^mailto:a%3Fbcc%3Dx%26y%40example\.org\?subject=Re%3A%20Contact$/,
  );
  expect(shown).toMatch(/\d\d:\d\d UTC<\/time>/);
});

test("a submission is deleted after a confirmation, and from the API as well", async () => {
  const { service, formId } = await openContact();
  await submit(service, "contact", { fields: { name: "Ida", email: "ida@example.org" } });
  const id = await findSubmission(service);
  const { get, post } = await signIn(service);
  const shown = await (await get(`/forms/${formId}/${id}`)).text();
  const question = await (await get(`/forms/${formId}/${id}/delete`)).text();
  const done = await post(`/forms/${formId}/${id}/delete`);
  const { items } = await clientOf(service, { routeSet: "b" })("GET", "/api/forms/contact/submissions");
  expect(shown).toContain("ida@example.org");
  expect(question).toContain("Delete this submission?");
  expect([done.status, done.headers.get("Location")]).toEqual([303, `/forms/${formId}?notice=submission-deleted`]);
  expect(items).toEqual([]);
});

test("deleting the last submission of a form that no page has leads back to the list", async () => {
  const { service, formId } = await openContact();
  await submit(service, "contact", { fields: { name: "Ida" } });
  await publishPage(service, "contact", "<h1>No form</h1>");
  const id = await findSubmission(service);
  const { get, post } = await signIn(service);
  const closed = await (await get(`/forms/${formId}`)).text();
  const done = await post(`/forms/${formId}/${id}/delete`);
  expect(closed).toContain("it accepts no submissions");
  expect(done.headers.get("Location")).toBe("/forms?notice=submission-deleted");
});

test("a submission of another form, or one that doesn't exist, returns 404", async () => {
  const { service, formId } = await openContact();
  const { get, post } = await signIn(service);
  const answers = [
    await get("/forms/fm_none"),
    await get(`/forms/${formId}/sb_none`),
    await post(`/forms/${formId}/sb_none/delete`),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
});

test("an inbox shows new submissions, finds text in messages, and processes selections in bulk", async () => {
  const { service, formId } = await openContact();
  const send = clientOf(service, { routeSet: "b" });
  for (const name of ["Ida", "Ole", "Eva"]) {
    await submit(service, "contact", { fields: { name, message: `Loaves for ${name}, "please"` } });
  }
  const { get, post } = await signIn(service);
  const shown = async (query: string) => {
    const html = await (await get(`/forms/${formId}?${query}`)).text();
    return ["Ida", "Ole", "Eva"].filter((name) => html.includes(`>${name}<`));
  };
  const idOf = async (name: string) => {
    const { items } = await send("GET", "/api/forms/contact/submissions");
    return String(items.find(({ fields }) => Object(fields)["name"] === name)?.["submissionId"]);
  };
  expect(await (await get("/forms")).text()).toContain(`href="/forms/${formId}?show=unread">3<`);
  expect(await shown("q=for+ole%2C+%22PL")).toEqual(["Ole"]);
  expect(await shown("q=message")).toEqual([]);
  expect(await shown("to=2001-01-01")).toEqual([]);

  await get(`/forms/${formId}/${await idOf("Ida")}`);
  expect(await shown("show=unread")).toEqual(["Ole", "Eva"]);
  const all = { all: "yes", back: "?show=unread" };
  const done = await post(`/forms/${formId}/bulk`, { ...all, action: "read" });
  expect([done.status, done.headers.get("Location")]).toEqual([303, `/forms/${formId}?show=unread&notice=saved`]);
  expect(await shown("show=unread")).toEqual([]);

  await post(`/forms/${formId}/bulk`, { action: "spam", id: await idOf("Eva") });
  expect([await shown(""), await shown("show=spam")]).toEqual([["Ida", "Ole"], ["Eva"]]);
  const question = await (await post(`/forms/${formId}/bulk`, { ...all, back: "?show=spam", action: "delete" })).text();
  expect(question).toContain("Delete 1 submission?");
  await post(`/forms/${formId}/bulk`, { ...all, back: "?show=spam", action: "delete", confirmed: "yes" });
  expect(await shown("show=spam")).toEqual([]);
});

test("a viewer doesn't mark submissions as read", async () => {
  const { service, formId } = await openContact();
  await submit(service, "contact", { fields: { name: "Ida" } });
  const viewer = await inviteAs(service, "viewer");
  const shown = await (await viewer.get(`/forms/${formId}/${await findSubmission(service)}`)).text();
  expect(shown).not.toContain("Mark as unread");
  expect((await clientOf(service, { routeSet: "b" })("GET", "/api/forms/contact/submissions")).items).toMatchObject([
    { read: false },
  ]);
});

test("forms can be found by name and state, and are sorted by latest submission", async () => {
  const { service, formId } = await openContact();
  await publishPage(service, "order", '<form method="post" name="Order"><input name="loaf"></form>');
  await submit(service, "contact", { fields: { name: "Ida" } });
  const { get } = await signIn(service);
  const listed = async (query: string) =>
    Array.from((await (await get(`/forms${query}`)).text()).matchAll(/href="\/forms\/([^"?]*)">/g), ([, id]) => id);
  const [orderId] = await listed("?q=ORDER");
  expect(orderId).not.toBe(formId);
  expect(await listed("")).toEqual([formId, orderId]);
  expect(await listed("?sort=created")).toEqual([orderId, formId]);
  expect(await listed("?status=closed")).toEqual([]);
});

test("an export contains exactly what the inbox shows or what is selected", async () => {
  const { service, formId } = await openContact();
  const send = clientOf(service, { routeSet: "b" });
  for (const name of ["Ida", "Ole", "Eva"])
    await submit(service, "contact", { fields: { name, message: `To ${name}` } });
  const { get, post } = await signIn(service);
  const html = await (await get(`/forms/${formId}?q=to+ole`)).text();
  const path = /href="([^"]*submissions\.csv[^"]*)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";
  expect(await (await get(path)).text()).toMatch(/^(?!.*Ida)(?!.*Eva).*To Ole/s);
  const { items } = await send("GET", "/api/forms/contact/submissions");
  const id = String(items.find(({ fields }) => Object(fields)["name"] === "Eva")?.["submissionId"]);
  const ticked = await post(`/forms/${formId}/bulk`, { action: "export", id });
  expect(ticked.headers.get("Content-Disposition")).toContain("attachment");
  expect(await ticked.text()).toMatch(/^(?!.*Ida)(?!.*Ole).*To Eva/s);
  const all = await (await post(`/forms/${formId}/bulk`, { action: "export", all: "yes", back: "?q=to" })).text();
  expect(all.trimEnd().split("\n")).toHaveLength(4);
  expect((await post(`/forms/${formId}/bulk`, { action: "export" })).status).toBe(422);
});
