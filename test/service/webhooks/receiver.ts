import { Webhook } from "standardwebhooks";
import { startHost, type Answered, type Received } from "../../client/host.ts";
import type { Service, ServiceOptions } from "../../../src/service.ts";
import { clientOf, openService, type Answer, type Fields, type Send } from "../open-service.ts";

/** A received message. */
export interface Message {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Fields;
}

export interface Receiver {
  readonly url: string;
  readonly requests: readonly Received[];
  /** Verifies all received messages with the package by the standard's authors, and returns them. */
  messages(secret: string): readonly Message[];
}

/** Starts a real server that receives webhooks, with the test's responses (200 by default). */
export async function startReceiver(
  answer: (request: Received, count: number) => Answered | Promise<Answered> = () => ({ status: 200, body: "thanks" }),
): Promise<Receiver> {
  const { baseUrl, received } = await startHost(answer);
  return {
    url: `${baseUrl}/hook`,
    requests: received,
    messages: (secret) => received.map((request) => verify(request, secret)),
  };
}

export function verify({ body, headers }: Received, secret: string): Message {
  const payload = new Webhook(secret).verify(body, {
    "webhook-id": String(headers["webhook-id"]),
    "webhook-timestamp": String(headers["webhook-timestamp"]),
    "webhook-signature": String(headers["webhook-signature"]),
  }) as Omit<Message, "id">;
  return { id: String(headers["webhook-id"]), ...payload };
}

/** Opens a service that may access the loopback and sends webhooks only on demand. */
export function openSender(options: ServiceOptions = {}): { readonly service: Service; readonly send: Send } {
  const service = openService({ background: false, allowNetworks: ["127.0.0.0/8"], ...options });
  return { service, send: clientOf(service, { routeSet: "a" }) };
}

export async function addWebhook(
  send: Send,
  fields: Fields,
): Promise<{ readonly id: string; readonly secret: string }> {
  const { status, body, text } = await send("POST", "/api/webhooks", { json: fields });
  if (status !== 201) throw new Error(`The webhook was not made: ${status} ${text}`);
  return { id: String(body.id), secret: String(body.secret) };
}

export async function deliveriesOf(send: Send, id: string, query = ""): Promise<readonly Fields[]> {
  return (await send("GET", `/api/webhooks/${id}/deliveries${query}`)).items;
}

export async function advance(send: Send, ms: number): Promise<void> {
  await send("POST", "/api/_clock", { json: { advanceMs: ms } });
}

export function publish(send: Send, slug: string, fields: Fields = {}): Promise<Answer> {
  return send("PUT", `/api/pages/${slug}`, { json: { html: `<h1>${slug}</h1>`, ...fields } });
}
