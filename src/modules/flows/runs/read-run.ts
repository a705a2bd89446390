import type { ContactRow } from '../../messaging/contact.ts'
import type { ConversationRow } from '../../messaging/conversation.ts'
import type { RunStatus, TriggerKind } from '../../../core/vocabulary/flows.ts'
import type { Selectable } from 'kysely'
import type { FlowRun as FlowRunTable, RunQueue } from '../../../infra/database/tables.ts'

/** The queue's columns of a run; all null when it is not in the queue. */
type InQueue = Pick<Selectable<RunQueue>, 'dueAt' | 'claimId' | 'leaseExpiresAt'>

/** A run with its columns in the queue. */
export type RunRow = Selectable<FlowRunTable> &
  InQueue & { status: RunStatus; triggerKind: TriggerKind }

/** A locked run with its locked conversation and what its advance depends on. */
export type LockedRun = {
  run: RunRow
  flowName: string
  isFlowDeleted: boolean
  company: { id: string; name: string | null }
  plan: string
  hasAutomations: boolean
  accountId: string
  /** The account's quota of automated templates per UTC day. */
  templatesPerDay: number
  conversation: ConversationRow
  contact: ContactRow | null
}
