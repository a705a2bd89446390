/** The first Owner, who signs in with a password, and sessions by their tokens alone. */
import { openSetUp } from '../../src/modules/accounts/set-up.ts'
import type { Problem } from '../../src/contract/dashboard/problem.ts'
import type { SessionView } from '../../src/contract/dashboard/session.ts'
import { apiRequest, type Answer } from './dashboard.ts'
import type { World } from './test-service.ts'

export const EMAIL = 'owner@example.com'
/** A password that the rules let pass. */
export const PASSWORD = 'a long enough password'

/** Makes the first account, its company and its Owner. Returns the token of the Owner's session. */
export async function setUpOwner(world: World): Promise<string> {
  const setupToken = await openSetUp(world.service.context, world.service.keyRing)
  const owner = { email: EMAIL, name: 'Owner', password: PASSWORD, accountName: 'Shop' }
  const json = { ...owner, setupToken, client: 'program' }
  return (await apiRequest<{ token: string }>(world.url, 'POST', '/setup', { json })).body.token
}

/** Sends a request with the token of a session. */
export const askWith = <Body = Problem>(
  { url }: { url: string },
  token: string,
  method: string,
  path: string,
  json?: unknown,
): Promise<Answer<Body>> =>
  apiRequest<Body>(url, method, path, { json, headers: { authorization: `Bearer ${token}` } })

/** Returns who is signed in by a token, and where. */
export const sessionOf = async (world: { url: string }, token: string): Promise<SessionView> =>
  (await askWith<SessionView>(world, token, 'GET', '/session')).body
