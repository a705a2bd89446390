import { sql, type Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { loadCompany } from '../accounts/load-company.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import { eraseContactData } from '../contacts/erase-contact-data.sql.ts'
import type { Context } from '../../infra/context.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { dropFilesOfVisitor } from '../files/drop-files.ts'
import { cancelRuns } from '../flows/runs/cancel-runs.sql.ts'
import { ERASED_CONVERSATION } from '../messaging/erased-conversation.ts'
import { lockConversations } from '../messaging/lock-conversations.sql.ts'
import { lockCustomer } from '../messaging/lock-customer.ts'
import { capabilitiesOf } from '../../rules/messaging/channel-capabilities.ts'
import { ServiceError } from '../../core/service-error.ts'
import { VISITOR_ERASED } from './visitor-streams.ts'

type OwnedConversation = { companyId: string; conversationId: string }

/**
 * Erases a visitor of a widget for good, at a member's request: their name and e-mail, the messages and files of their
 * conversation, and the values of their runs. Rows stay, so that counts stay. Their token becomes invalid, their
 * streams end, and a later message with it comes from a new visitor.
 *
 * Isolation: the visitor's id is locked, then the conversation and its runs. A concurrent message is either resolved
 * before and erased too, or resolved after, for a new visitor.
 *
 * @throws not_found; conflict for the conversation of a contact
 * Spec: Channels › The website's chat.
 */
export async function eraseVisitor(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  actor: Actor,
  { companyId, conversationId }: OwnedConversation,
): Promise<void> {
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    await loadCompany(tx, actor, companyId)
    const filedUnder = await requireVisitor(tx, { companyId, conversationId })
    await lockCustomer(tx, companyId, [{ kind: 'page', key: filedUnder }])
    const conversationIds = [conversationId]
    await lockConversations(tx, { ids: conversationIds, customers: [] })
    // The widget's key has no colon. For a visitor who was erased before, the text after it is no visitor's id.
    const visitorId = filedUnder.slice(filedUnder.indexOf(':') + 1)
    await cancelRuns(tx, now, { conversationIds }, fact('run_visitor_erased'))
    if (!filedUnder.startsWith(ERASED_CONVERSATION)) {
      await dropFilesOfVisitor(tx, now, { companyId, conversationId, visitorId })
      await tx
        .deleteFrom('visitor')
        .where('id', '=', visitorId)
        .where('companyId', '=', companyId)
        .execute()
    }
    await eraseContactData(tx, now, { companyId, contactId: null, conversationIds })
    await sql`select pg_notify(${VISITOR_ERASED}, ${conversationId})`.execute(tx)
    await audit('visitor.erased', { kind: 'conversation', id: conversationId, companyId })
  })
}

async function requireVisitor(
  tx: Transaction<DB>,
  { companyId, conversationId }: OwnedConversation,
): Promise<string> {
  const found = await tx
    .selectFrom('conversation')
    .select(['contactId', 'channelType', 'filedUnder'])
    .where('id', '=', conversationId)
    .where('companyId', '=', companyId)
    .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_conversation')))
  if (found.contactId !== null || capabilitiesOf(found.channelType).hasContacts) {
    throw new ServiceError('conflict', fact('conversation_has_contact'))
  }
  return found.filedUnder
}
