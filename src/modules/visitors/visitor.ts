/**
 * Visitors of a widget. Opening it gives a token of 32 random bytes and stores no row until the first message, so that
 * unauthenticated clients cost no storage. The token is stored as a hash. It is valid for one widget only, whose key
 * precedes it.
 *
 * Spec: Channels › The website's chat.
 */
import type { Kysely } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import { DAY_MS } from '../../core/limits/units.ts'
import { VISITOR_LIMITS } from '../../core/limits/visitors.ts'
import { tokenHash } from '../../infra/secrets/token-hash.ts'
import type { Site } from './site.ts'

/** A stored visitor, with their conversation and the details that they gave; null before the first message. */
export type Visitor = {
  id: string
  companyId: string
  channelId: string
  tokenMadeAt: Date
  seenAt: Date
  conversationId: string | null
  name: string | null
  email: string | null
}

const TOKEN = /^([A-Za-z0-9_-]{8,40})\.[A-Za-z0-9_-]{43}$/

/** Returns the key of the widget that a token is for; null if the text cannot be a token. */
export function keyOfToken(token: string): string | null {
  return TOKEN.exec(token)?.[1] ?? null
}

/** Returns a new token for a visitor of a widget. */
export function makeToken(ids: Ids, { channel }: Pick<Site, 'channel'>): string {
  return `${channel.route}.${ids.token(VISITOR_LIMITS.tokenBytes)}`
}

/** Finds the visitor of a token; undefined before their first message. */
export async function findVisitor(
  db: Kysely<DB>,
  { channel }: Pick<Site, 'channel'>,
  token: string,
): Promise<Visitor | undefined> {
  const row = await db
    .selectFrom('visitor')
    .select(['id', 'companyId', 'channelId', 'tokenMadeAt', 'seenAt'])
    .where('tokenHash', '=', tokenHash(token))
    .where('channelId', '=', channel.id)
    .executeTakeFirst()
  if (!row) return undefined
  const conversation = await db
    .selectFrom('conversation')
    .select(['id', 'visitorName', 'visitorEmail'])
    .where('channelId', '=', channel.id)
    .where('filedUnder', '=', `${channel.route}:${row.id}`)
    .where('identityId', 'is', null)
    .executeTakeFirst()
  return {
    ...row,
    conversationId: conversation?.id ?? null,
    name: conversation?.visitorName ?? null,
    email: conversation?.visitorEmail ?? null,
  }
}

/** Returns the visitor of a token and stores them if new. Two concurrent calls store one visitor. */
export async function findOrCreateVisitor(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  { channel }: Pick<Site, 'channel'>,
  token: string,
): Promise<Visitor> {
  const now = clock.now()
  const stored = await db.kysely
    .insertInto('visitor')
    .values({
      id: ids.uuid(),
      companyId: channel.companyId,
      channelId: channel.id,
      tokenHash: tokenHash(token),
      tokenMadeAt: now,
      seenAt: now,
      createdAt: now,
    })
    .onConflict((other) => other.column('tokenHash').doUpdateSet({ seenAt: now }))
    .returning(['id', 'companyId', 'channelId', 'tokenMadeAt', 'seenAt'])
    .executeTakeFirstOrThrow()
  return { ...stored, conversationId: null, name: null, email: null }
}

/**
 * Records when the visitor was last seen, at most daily, and returns their token: a new one when theirs is a year old. If
 * two requests arrive concurrently with the old one, the second is unknown until its page reads the token that the first
 * has stored.
 */
export async function touchVisitor(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  site: Pick<Site, 'channel'>,
  { id, tokenMadeAt, seenAt }: Visitor,
  token: string,
): Promise<string> {
  const now = clock.now()
  const isOld = now.getTime() - tokenMadeAt.getTime() >= VISITOR_LIMITS.tokenMs
  if (!isOld && now.getTime() - seenAt.getTime() < DAY_MS) return token
  const next = isOld ? makeToken(ids, site) : token
  const { numUpdatedRows } = await db.kysely
    .updateTable('visitor')
    .set({ seenAt: now, ...(isOld ? { tokenHash: tokenHash(next), tokenMadeAt: now } : {}) })
    .where('id', '=', id)
    .where('tokenHash', '=', tokenHash(token))
    .executeTakeFirst()
  return numUpdatedRows === 1n ? next : token
}
