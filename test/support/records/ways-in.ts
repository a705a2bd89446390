/** Ways to sign in: sessions, trusted browsers, second factors and their recovery codes. */
import { sql } from 'kysely'
import type { FieldsOf, Recorded } from './records.ts'
import { add, insert, newIdOf, nowOf, storeOf, update } from './records.ts'
import { addVisitor } from './visitors.ts'

type Person = { personId: string }

/** Tables in which each row lets one person in, with the column that names the person. */
const WAYS_IN = {
  session: 'person_id',
  trusted_device: 'person_id',
  second_factor: 'person_id',
  recovery_code: 'person_id',
  pending_sign_in: 'person_id',
  password_reset: 'person_id',
  person: 'id',
}
type Way = keyof typeof WAYS_IN

/** Returns the matching rows of each kind, as they are stored, without the time when a session was last seen. */
async function waysIn(world: Recorded, fits: '=' | '<>', personId: string) {
  const ways = {} as Record<Way, unknown[]>
  for (const [table, column] of Object.entries(WAYS_IN) as [Way, string][]) {
    const { rows } = await sql`select to_jsonb(each) - 'last_seen_at' as way
      from ${sql.table(table)} each where ${sql.ref(column)} ${sql.raw(fits)} ${personId}
      order by to_jsonb(each)::text`.execute(storeOf(world))
    ways[table] = rows
  }
  return ways
}

export const waysInOf = (world: Recorded, { personId }: Person) => waysIn(world, '=', personId)
export const waysInOfOthers = (world: Recorded, { personId }: Person) =>
  waysIn(world, '<>', personId)

/** Makes this number of browsers trusted for a person, all of them from a moment after now on. */
export async function knowBrowsers(world: Recorded, { personId }: Person, count: number) {
  const knownSince = new Date(nowOf(world).getTime() + 1)
  const expiresAt = new Date(knownSince.getTime() + 3_600_000)
  const rows = Array.from({ length: count }, (_, at) => ({
    id: newIdOf(world),
    tokenHash: Buffer.alloc(32, at + 2),
    personId,
    knownSince,
    expiresAt,
  }))
  await insert(world, 'trustedDevice', ...rows)
}

/** Opens a link for a new password, for an hour. Its token is known to no one. */
export async function openPasswordReset(world: Recorded, { personId }: Person): Promise<void> {
  const expiresAt = new Date(nowOf(world).getTime() + 3_600_000)
  await add(world, 'passwordReset', { personId, tokenHash: Buffer.alloc(32, 1), expiresAt })
}

/** Switches a second factor on, with one recovery code, past the codes of an app. */
export async function giveSecondFactor(world: Recorded, { personId }: Person): Promise<void> {
  const now = nowOf(world)
  const times = { createdAt: now, confirmedAt: now }
  await add(world, 'secondFactor', { personId, secret: 'v1.any', ...times })
  await insert(world, 'recoveryCode', { personId, codeHash: Buffer.from(personId) })
}

/** Repeats each failed sign-in to this number, with the same address and time. */
export async function repeatFailures(world: Recorded, count: number): Promise<void> {
  await sql`insert into sign_in_failure (id, throttle_key, failed_at)
    select gen_random_uuid(), throttle_key, failed_at
    from sign_in_failure, generate_series(2, ${count}::int)`.execute(storeOf(world))
}

/** Sets when sessions were seen, when their passwords were entered or when they end: of one session, or of all. */
export const putSessions = (
  world: Recorded,
  times: Pick<FieldsOf<'session'>, 'lastSeenAt' | 'passwordEnteredAt' | 'expiresAt'>,
  { sessionId }: { sessionId?: string } = {},
) => update(world, 'session', sessionId === undefined ? 'all' : { id: sessionId }, times)

const OPEN_WAYS = [
  'pendingSignIn',
  'invitation',
  'trustedDevice',
  'passwordReset',
  'session',
  'visitorTicket',
] as const

/** Adds one row of each kind that lets in without a password: for a person, or for a visitor of the channel. */
export async function addOpenWaysIn(
  world: Recorded,
  of: { personId: string; accountId: string; companyId: string; channelId: string },
): Promise<void> {
  const now = nowOf(world)
  const { personId, accountId } = of
  const expiresAt = new Date(now.getTime() + 86_400_000)
  const token = (nth: number) => ({ id: newIdOf(world), tokenHash: Buffer.alloc(32, nth) })
  const visitorId = await addVisitor(world, of)
  const signIn = { personId, accountId, carrier: 'cookie', expiresAt }
  await insert(world, 'pendingSignIn', { ...token(101), ...signIn })
  const invited = { accountId, email: 'invited@example.com', role: 'agent' }
  await insert(world, 'invitation', { ...token(102), ...invited, createdAt: now, expiresAt })
  await insert(world, 'trustedDevice', { ...token(103), personId, knownSince: now, expiresAt })
  await insert(world, 'passwordReset', { ...token(104), personId, expiresAt })
  const since = { createdAt: now, lastSeenAt: now, passwordEnteredAt: now }
  await insert(world, 'session', { ...token(105), ...signIn, ...since })
  await insert(world, 'visitorTicket', { hash: Buffer.alloc(32, 106), visitorId, expiresAt })
}

/** Returns the kinds of which at least one row is open. */
export async function openWaysIn(world: Recorded): Promise<string[]> {
  const open: string[] = []
  for (const table of OPEN_WAYS) {
    const found = await storeOf(world)
      .selectFrom(table)
      .select(sql`1`.as('one'))
      .limit(1)
      .execute()
    if (found.length > 0) open.push(table)
  }
  return open
}
