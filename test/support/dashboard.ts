/** The dashboard's API as a program uses it: over HTTP, with its own session. */
import { startSession } from '../../src/modules/accounts/start-session.ts'
import { transaction } from '../../src/infra/database/transaction.ts'
import type { AuditView } from '../../src/contract/dashboard/account.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import type { Problem } from '../../src/contract/dashboard/problem.ts'
import type { Role } from '../../src/core/vocabulary/accounts.ts'
import { addMember, addPerson } from './records/members.ts'
import { update, within } from './records/records.ts'
import type { World } from './test-service.ts'
import { repeatWhile } from './wait.ts'

export type Answer<Body> = { status: number; headers: Headers; body: Body }

/**
 * Sends a request to `/api`. The body of the response is null where there is none, and a text where it is no
 * JSON.
 */
export async function apiRequest<Body = Problem>(
  url: string,
  method: string,
  path: string,
  { json, headers = {} }: { json?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer<Body>> {
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: { ...(json !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true
  return {
    status: response.status,
    headers: response.headers,
    body: (isJson ? JSON.parse(text) : text || null) as Body,
  }
}

export type Member = {
  personId: string
  memberId: string
  email: string
  /** The bearer token of the member's session. */
  token: string
  ask<Body = Problem>(method: string, path: string, json?: unknown): Promise<Answer<Body>>
}

/**
 * Makes a new person a member of the account and signs them in. When the API asks for the password, the member
 * enters it and repeats the request, however far a test has moved the clock. With `entersPassword` false the
 * refusal is returned.
 */
export async function signedIn(
  world: Pick<World, 'service' | 'url'>,
  {
    accountId,
    role = 'owner',
    email,
    entersPassword = true,
  }: { accountId: string; role?: Role; email?: string; entersPassword?: boolean },
): Promise<Member> {
  const { db, ids, clock } = world.service.context
  const personId = ids.uuid()
  const address = email ?? `${role}-${personId.slice(-12)}@example.com`
  const { memberId, token } = await transaction(db, async (tx) => {
    const rows = within(world, tx)
    await addPerson(rows, { id: personId, email: address, name: `The ${role}` })
    const client = { carrier: 'bearer', userAgent: 'test', device: null } as const
    return {
      memberId: await addMember(rows, { accountId }, { personId }, role),
      ...(await startSession(tx, { ids, now: clock.now() }, { personId, accountId, client })),
    }
  })
  return {
    personId,
    memberId,
    email: address,
    token,
    ask: async <Body>(method: string, path: string, json?: unknown) => {
      const asked = { json, headers: { authorization: `Bearer ${token}` } }
      const answer = await apiRequest<Body>(world.url, method, path, asked)
      const isPasswordNeeded = (answer.body as Problem | null)?.code === 'password_needed'
      if (!isPasswordNeeded || !entersPassword) return answer
      await update(world, 'session', { personId }, { passwordEnteredAt: clock.now() })
      return apiRequest<Body>(world.url, method, path, asked)
    },
  }
}

/** Returns the faults that a refusal names, a text each: the field, and the code of the rule that it breaks. */
export const refusalsOf = ({ body }: { body: unknown }): string[] | undefined =>
  (body as Problem | null)?.errors?.map(({ field, code }) => `${field}: ${code}`)

/** Returns the items on the first page of a list. */
export const itemsOf = async <Item>(by: Pick<Member, 'ask'>, path: string): Promise<Item[]> =>
  (await by.ask<Page<Item>>('GET', path)).body.items

/** Returns the audit log of a company, newest first. */
export const auditOf = (by: Pick<Member, 'ask'>, { companyId }: { companyId: string }) =>
  itemsOf<AuditView>(by, `/audit?companyId=${companyId}`)

/** Returns all items of a list, requested page by page with this number on each. */
export async function walkPages<Item>(
  member: Pick<Member, 'ask'>,
  path: string,
  query: Record<string, string>,
): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | null = ''
  const hasMore = () => cursor !== null
  await repeatWhile(`pages of ${path}`, hasMore, async () => {
    const asked = new URLSearchParams({ ...query, ...(cursor && { cursor }) }).toString()
    const { status, body } = await member.ask<Page<Item>>('GET', `${path}?${asked}`)
    if (status !== 200) throw new Error(`a page was answered ${status}`)
    items.push(...body.items)
    cursor = body.nextCursor
  })
  return items
}
