/** Notices that the dashboard shows to members. */
import type { Account, Company, FieldsOf, Recorded } from './records.ts'
import { add, nowOf, read, readOne, remove } from './records.ts'

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
  const of = { accountId, companyId, subjectId, personId, kind }
  const notices = await read(world, 'notice', of, 'createdAt', 'id')
  return notices.map((notice) => ({
    ...notice,
    details: JSON.parse(notice.details) as Record<string, unknown>,
  }))
}

export const noticeOf = (world: Recorded, id: string) => readOne(world, 'notice', { id })

/** Adds a notice of an account, or of one person of it. By default no e-mail of it is due. Returns its id. */
export function addNotice(
  world: Recorded,
  { accountId, companyId }: Account & Company,
  more: { kind: string; details?: object } & Omit<FieldsOf<'notice'>, 'details'>,
): Promise<string> {
  const details = JSON.stringify(more.details ?? {})
  const notice = { createdAt: nowOf(world), ...more, details, accountId, companyId }
  return add(world, 'notice', notice)
}

/** Deletes all notices, so that no later test mails them. */
export const deleteNotices = (world: Recorded) => remove(world, 'notice', 'all')
