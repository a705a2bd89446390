/** Templates of channels, and those that were counted against an allowance. */
import { given, storeOf, type Recorded, type RecordOf } from './records.ts'

type Its = { channelId: string }

/** Returns the templates that were counted against an allowance for a message. */
export const countedTemplates = (world: Recorded, messageId: string) =>
  storeOf(world).selectFrom('templateSend').selectAll().where('messageId', '=', messageId).execute()

/** Returns the templates of a channel or company, by name and language. */
export const templatesOf = (
  world: Recorded,
  { companyId, channelId }: { companyId?: string; channelId?: string },
) =>
  storeOf(world)
    .selectFrom('template')
    .selectAll()
    .where((eb) => eb.and(given({ companyId, channelId })))
    .orderBy('name')
    .orderBy('language')
    .execute()

/** Sets what the provider says of a channel's templates: their status, category or components. */
export async function putTemplates(
  world: Recorded,
  { channelId, name, language }: Its & { name?: string; language?: string },
  said: Partial<Pick<RecordOf<'template'>, 'status' | 'category' | 'components' | 'name'>>,
): Promise<void> {
  await storeOf(world)
    .updateTable('template')
    .set(said)
    .where((eb) => eb.and(given({ channelId, name, language })))
    .execute()
}
