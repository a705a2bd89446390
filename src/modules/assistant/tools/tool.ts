/** The tools of the assistant, one per file: offered to the model, executed by code. */
import type { Context } from '../../../infra/context.ts'
import type { OfferedTool } from '../../../rules/assistant/offered-tool.ts'
import type { ClaimKind } from '../../../core/vocabulary/statements/kinds.ts'

/** The conversation and the reply in which a tool is used, as loaded for this advance. */
export type ToolContext = {
  companyId: string
  accountId: string
  conversationId: string
  replyId: string
  channelType: string
  /** The contact; null for a widget visitor. */
  contactId: string | null
  /** The language of the answer, as a BCP 47 tag. */
  language: string
  timeZone: string
  now: Date
  /** Loaded with the advance; a tool loads what is missing. */
  known?: ToolInputs
}

/** Values of a company that decide which tools are offered. */
export type ToolInputs = {
  tags: string[]
  /** The bookable services. */
  services: { id: string; name: string; nameAr: string | null; minutes: number }[]
  hasServices: boolean
  hasActions: boolean
}

/** The result of a tool for the model, and its consequences. */
export type ToolResult = {
  /** The text for the model; the request builder delimits untrusted data. */
  text: string
  /** States whether the tool succeeded; a refusal or failure counts towards the third refusal. */
  isDone: boolean
  /** The tool had an irreversible effect, so the reply does not restart. */
  hasEffect: boolean
  /** The effects of an action, as its merchant chose. */
  does?: readonly ClaimKind[]
  /** The part of the text that any customer may read; other numbers and addresses are never sent. */
  mayBeReported?: string
  /** The reply ends with a handover. `qualifies`: the customer's lead is qualified in its transaction. */
  handsOver?: { reason: string; reasonText: string | null; qualifies?: boolean }
  /** A sentence for the customer below the model's text: what was booked, when, and its reference. */
  says?: string
  /** Data stored with the step for staff, such as search results with their scores. */
  data?: object
  /** A proposal was drafted; its statement is the reply's last part. */
  proposalId?: string
}

/** A tool of the assistant. */
export type Tool = {
  /** Returns what the model is offered in this advance; nothing where the tool cannot be used. */
  offer(context: Context, toolContext: ToolContext): Promise<OfferedTool[]>
  /** Returns whether a call by this name is for this tool. */
  isNamed(name: string): boolean
  /**
   * Executes a call. Never throws for errors of the model, the customer or the merchant. `args` is parsed JSON, not
   * validated.
   */
  use(context: Context, toolContext: ToolContext, name: string, args: unknown): Promise<ToolResult>
}
