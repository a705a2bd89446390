/** Templates of channels, and those that were counted against an allowance. */
import type { Account, Company, FieldsOf, Recorded } from './records.ts'
import { insert, insertOrUpdate, newIdOf, read, today, update } from './records.ts'

/** Returns the templates that were counted against an allowance for a message. */
export const countedTemplates = (world: Recorded, messageId: string) =>
  read(world, 'templateSend', { messageId })

/** Returns how many templates an account has sent on each day that is still counted, the first day first. */
export const templatesByDay = async (world: Recorded, { accountId }: Account): Promise<number[]> =>
  (await read(world, 'templateDay', { accountId }, 'day')).map(({ sent }) => sent)

/** Returns the templates of a channel or company, by name and language. */
export const templatesOf = (
  world: Recorded,
  { companyId, channelId }: { companyId?: string; channelId?: string },
) => read(world, 'template', { companyId, channelId }, 'name', 'language')

/** Changes a channel's templates as the provider does: their status, category or components. */
export const putTemplates = (
  world: Recorded,
  { channelId, name, language }: { channelId: string; name?: string; language?: string },
  said: FieldsOf<'template'>,
) => update(world, 'template', { channelId, name, language }, said)

/** Adds templates with these names to a channel, each like its first one. */
export async function copyTemplates(
  world: Recorded,
  { companyId, channelId }: Company & { channelId: string },
  names: readonly string[],
): Promise<void> {
  const [first] = await templatesOf(world, { companyId, channelId })
  const copies = names.map((name) => ({ ...first!, id: newIdOf(world), name }))
  await insert(world, 'template', ...copies)
}

export const setTemplatesToday = (world: Recorded, { accountId }: Account, sent: number) => {
  const day = { accountId, day: today(world), sent }
  return insertOrUpdate(world, 'templateDay', ['accountId', 'day'], day, { sent })
}

/** Counts a message as a template that a customer was sent at a time. */
export const countTemplate = (
  world: Recorded,
  send: Account & Company & { messageId: string; contactId: string },
  sentAt: Date,
) => insert(world, 'templateSend', { ...send, sentAt })
