/** What the assistant can do besides talking, a file a tool: offered to the model, used by code. */
import type { Context } from '../../../infra/context.ts'
import type { OfferedTool } from '../../models/model.ts'
import type { ClaimKind } from '../../../core/vocabulary/statements/kinds.ts'

/** The conversation and the reply in which a tool is used, as they were read for this turn. */
export type ToolContext = {
  companyId: string
  accountId: string
  conversationId: string
  replyId: string
  channelType: string
  /** Null of a visitor of a widget. */
  contactId: string | null
  /** BCP 47: in which the customer is answered. */
  language: string
  timeZone: string
  now: Date
  /** Read with the turn; a tool reads what is not there. */
  known?: KnownForTools
}

/** Of the company, by which tools are offered. */
export type KnownForTools = {
  tags: string[]
  /** Those that can be booked. */
  services: { id: string; name: string; nameAr: string | null; minutes: number }[]
  hasServices: boolean
  hasActions: boolean
}

/** What the model is told after it used a tool, and what follows from it. */
export type ToolResult = {
  /** In words for the model; data of others stands between marks by who writes the request. */
  text: string
  /** False: refused or failed; counts towards the third refusal. */
  isDone: boolean
  /** Something was done that cannot be taken back: the reply does not begin anew. */
  hasEffect: boolean
  /** What was done, of an action whose merchant has chosen it. */
  does?: readonly ClaimKind[]
  /** What of the text anybody may read; nobody else's numbers and addresses are sent. */
  mayBeTold?: string
  /** The reply ends with a handover. `qualifies`: the customer's lead is qualified in its transaction. */
  handsOver?: { reason: string; reasonText: string | null; qualifies?: boolean }
  /** Said to the customer below the model's text, word for word: what was booked, when, its reference. */
  says?: string
  /** What is kept with the step for staff, such as chunks with their scores. */
  data?: object
  /** A proposal was drafted: its statement is the reply's last part. */
  proposalId?: string
}

export type Tool = {
  /** What the model is offered in this turn; none where it cannot be used. */
  offer(context: Context, turn: ToolContext): Promise<OfferedTool[]>
  /** Whether a call by this name is for this tool. */
  isNamed(name: string): boolean
  /** Never throws for what the model, the customer or the merchant did. `args` is JSON that was read, not yet checked. */
  use(context: Context, turn: ToolContext, name: string, args: unknown): Promise<ToolResult>
}
