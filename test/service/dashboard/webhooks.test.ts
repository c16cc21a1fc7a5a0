import { expect, test } from "vitest";
import { addWebhook, deliveriesOf, openSender, startReceiver } from "../webhooks/receiver.ts";
import { signIn } from "./signed-in.ts";

function secretIn(html: string): string {
  return /whsec_[A-Za-z0-9+/=]+/.exec(html)?.[0] ?? "";
}

test("a webhook created in the dashboard receives a test that its secret verifies", async () => {
  const receiver = await startReceiver();
  const { service, send } = openSender();
  const { get, post } = await signIn(service);
  const made = await post("/webhooks", { url: receiver.url, description: "", "on:form.submitted": "on" });
  const html = await made.text();
  const { items } = await send("GET", "/api/webhooks");
  const id = String(items[0]?.["id"]);
  const tested = await post(`/webhooks/${id}/test`);
  await service.sendWebhooks();
  const [message] = receiver.messages(secretIn(html));
  const shown = await (await get(`/webhooks/${id}`)).text();
  expect([made.status, tested.status]).toEqual([201, 303]);
  expect(items[0]).toMatchObject({ url: receiver.url, events: ["form.submitted"], enabled: true });
  expect(message?.type).toBe("webhook.test");
  expect(shown).toContain("webhook.test");
  expect(shown).toContain(">delivered<");
  expect(shown).not.toContain(secretIn(html));
});

test("a failed delivery shows the response, and can be sent again", async () => {
  const receiver = await startReceiver((_, count) =>
    count === 1 ? { status: 500, body: "<i>no</i>" } : { status: 200, body: "ok" },
  );
  const { service, send } = openSender();
  const { id } = await addWebhook(send, { url: receiver.url });
  await send("POST", `/api/webhooks/${id}/test`);
  await service.sendWebhooks();
  const [delivery] = await deliveriesOf(send, id);
  const path = `/webhooks/${id}/deliveries/${String(delivery?.["id"])}`;
  const { get, post } = await signIn(service);
  const failed = await (await get(path)).text();
  const again = await post(`${path}/retry`);
  await service.sendWebhooks();
  const done = await (await get(path)).text();
  expect(failed).toContain("Status 500");
  expect(failed).toContain("Next attempt");
  expect(failed).toContain("<pre");
  expect(again.headers.get("Location")).toBe(`/webhooks/${id}?notice=delivery-retried`);
  expect(done).toContain("Status 200");
  expect(receiver.requests).toHaveLength(2);
});

test("a new secret is shown once, and the old one stays valid for a day", async () => {
  const receiver = await startReceiver();
  const { service, send } = openSender();
  const { id, secret } = await addWebhook(send, { url: receiver.url });
  const { get, post } = await signIn(service);
  const question = await (await get(`/webhooks/${id}/rotate`)).text();
  const fresh = secretIn(await (await post(`/webhooks/${id}/rotate`)).text());
  const after = await (await get(`/webhooks/${id}`)).text();
  await post(`/webhooks/${id}/test`);
  await service.sendWebhooks();
  expect(question).toContain("For one day, deliveries are signed with both");
  expect(fresh).not.toBe(secret);
  expect(after).toContain("valid until");
  expect([receiver.messages(secret).length, receiver.messages(fresh).length]).toEqual([1, 1]);
});

test("a webhook can be disabled, enabled, changed, and deleted", async () => {
  const receiver = await startReceiver();
  const { service, send } = openSender();
  const { id } = await addWebhook(send, { url: receiver.url });
  const { get, post } = await signIn(service);
  await post(`/webhooks/${id}/enabled`, { enabled: "false" });
  const off = await (await get(`/webhooks/${id}`)).text();
  await post(`/webhooks/${id}/enabled`, { enabled: "true" });
  const changed = await post(`/webhooks/${id}`, { url: receiver.url, description: "Search", "on:page.deleted": "on" });
  const { body } = await send("GET", `/api/webhooks/${id}`);
  const question = await (await get(`/webhooks/${id}/delete`)).text();
  const deleted = await post(`/webhooks/${id}/delete`);
  const { status } = await send("GET", `/api/webhooks/${id}`);
  expect(off).toContain("The webhook is disabled");
  expect(off).not.toContain("Send a test");
  expect(changed.status).toBe(303);
  expect(body).toMatchObject({ enabled: true, description: "Search", events: ["page.deleted"] });
  expect(question).toContain("Delete this webhook?");
  expect([deleted.status, status]).toEqual([303, 404]);
});

test.for([
  [{ url: "not an address", "on:form.submitted": "on" }, "url-error"],
  [{ url: "http://10.0.0.1/hook", "on:form.submitted": "on" }, "url-error"],
  [{ url: "https://hooks.example/in" }, "Choose at least one."],
] as const)("an invalid webhook shows an error at its field, with the input kept: %j", async ([fields, problem]) => {
  const { service, send } = openSender({ allowNetworks: [] });
  const { post } = await signIn(service);
  const answer = await post("/webhooks", { ...fields, description: "Mine" });
  const html = await answer.text();
  expect(answer.status).toBe(422);
  expect(html).toContain(problem);
  expect(html).toContain(fields.url);
  expect(html).toContain('value="Mine"');
  expect((await send("GET", "/api/webhooks")).items).toEqual([]);
});
