import type { Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'

/** Returns the time zone of an account: that of its first company, by its IANA name. */
export async function zoneOfAccount(
  db: Kysely<DB>,
  { accountId }: { accountId: string },
): Promise<string> {
  const company = await db
    .selectFrom('company')
    .select('timeZone')
    .where('accountId', '=', accountId)
    .orderBy('isProject')
    .orderBy('createdAt')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return company?.timeZone ?? 'UTC'
}

/** Returns the time zone in which a person reads times: that of the account that they joined first. */
export async function zoneOfPerson(
  db: Kysely<DB>,
  { personId }: { personId: string },
): Promise<string> {
  const member = await firstMembership(db, personId)
  return member ? zoneOfAccount(db, member) : 'UTC'
}

/** Returns the membership that a person has had longest. */
export function firstMembership(
  db: Kysely<DB>,
  personId: string,
): Promise<{ accountId: string } | undefined> {
  return db
    .selectFrom('member')
    .select('accountId')
    .where('personId', '=', personId)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}
