import { expect } from "vitest";
import type { Role } from "../../../src/contract/people.ts";
import type { Service } from "../../../src/service.ts";
import { signInBy, type SignedIn } from "../dashboard/signed-in.ts";
import { clientOf } from "../open-service.ts";

/** A user of a service, signed in to its dashboard. */
export interface InvitedUser extends SignedIn {
  readonly id: string;
  readonly email: string;
}

/** Invites a user with the API and follows the invitation link. */
export async function inviteAs(service: Service, role: Role, email = `${role}@example.org`): Promise<InvitedUser> {
  const invited = await clientOf(service, { routeSet: "a" })("POST", "/api/users", {
    json: { email, role },
  });
  expect(invited.status).toBe(201);
  return {
    ...(await signInBy(service, String(invited.body.url))),
    id: String(invited.body.id),
    email,
  };
}
