/** Notices that the dashboard shows to members. */
import { given, storeOf, type Recorded } from './records.ts'

type Of = {
  accountId?: string
  companyId?: string
  subjectId?: string
  personId?: string
  kind?: string
}

/** Returns the notices of an account, company, subject or person, oldest first. */
export async function noticesOf(
  world: Recorded,
  { accountId, companyId, subjectId, personId, kind }: Of,
) {
  const notices = await storeOf(world)
    .selectFrom('notice')
    .selectAll()
    .where((eb) => eb.and(given({ accountId, companyId, subjectId, personId, kind })))
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  return notices.map((notice) => ({
    ...notice,
    details: JSON.parse(notice.details) as Record<string, unknown>,
  }))
}
