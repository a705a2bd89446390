import { listActionTools } from '../connections/offer-actions.ts'
import type { TrialView, TryAssistant } from '../../contract/dashboard/assistant-trial.ts'
import { PLAN_LIMITS } from '../../core/limits/accounts.ts'
import type { ModelDeps } from '../models/model-access.ts'
import type { OfferedTool } from '../../rules/assistant/offered-tool.ts'
import type { Plan } from '../../core/vocabulary/accounts.ts'
import type { Decision } from './decision.ts'
import { precheckMessages } from './precheck-messages.ts'
import { noPendingWrites } from './record-steps.ts'
import { dryRunReply, transientReply } from './dry-run.ts'
import type { LoadedReply, ConversationMessage } from './reply.ts'
import { bookAppointmentTool } from './tools/book-appointment.ts'
import { cancelAppointmentTool } from './tools/cancel-appointment.ts'
import { findSlotsTool } from './tools/find-slots.ts'
import { handOverTool } from './tools/hand-over.ts'
import { recordLeadTool } from './tools/record-lead.ts'
import { SEARCH_KNOWLEDGE } from './tools/search-knowledge.ts'
import { setCustomerTool } from './tools/set-customer.ts'
import type { ToolContext } from './tools/tool.ts'
import { readAssistant } from './view-assistant.ts'

/** The tools offered in a trial; only those below are used, as they change nothing. */
const OFFERED = [
  SEARCH_KNOWLEDGE,
  handOverTool,
  recordLeadTool,
  setCustomerTool,
  findSlotsTool,
  bookAppointmentTool,
  cancelAppointmentTool,
]
const USED = [SEARCH_KNOWLEDGE, handOverTool]

/** The channel of a trial: WhatsApp, which verifies customers' numbers. */
const CHANNEL_TYPE = 'whatsapp'
const TRIAL_ID = 'trial'

/**
 * Returns what the assistant would say, with unsaved settings and the current knowledge and models. Actions,
 * bookings, leads and the like are shown but not executed; only token usage is recorded.
 * Spec: Assistant › Trying it out.
 */
export async function runPlayground(
  deps: ModelDeps,
  {
    companyId,
    settings,
    messages,
    signal,
  }: TryAssistant & { companyId: string; signal: AbortSignal },
): Promise<TrialView> {
  const loaded = await prepareReply(deps, { companyId, settings, messages })
  const decided = precheckMessages(loaded)
  if (decided) {
    return { ...saidBy(decided), failure: null, tokensIn: 0, tokensOut: 0, steps: [], parts: [] }
  }
  const { last, ...rehearsed } = await dryRunReply(deps, loaded, {
    purpose: 'playground',
    offered: await offerAll(deps, loaded),
    used: USED,
    signal,
  })
  return { ...rehearsed, ...saidBy(last) }
}

function saidBy(last: Decision): Pick<TrialView, 'said' | 'handover'> {
  if (last.kind === 'say') return { said: [...last.parts.texts], handover: null }
  if (last.kind !== 'hand_over') return { said: [], handover: null }
  const { reason, reasonText, detail, says } = last
  return {
    said: says.kind === 'text' ? [says.text] : [],
    handover: { reason, reasonText, detail, says: says.kind },
  }
}

async function offerAll(deps: ModelDeps, loaded: LoadedReply): Promise<OfferedTool[]> {
  const { company, reply } = loaded
  const toolContext: ToolContext = {
    companyId: company.id,
    accountId: company.accountId,
    conversationId: TRIAL_ID,
    replyId: reply.id,
    channelType: CHANNEL_TYPE,
    // A fake contact, so that tools which note something about customers are offered; they are never executed.
    contactId: reply.id,
    language: 'ar',
    timeZone: company.timeZone,
    now: deps.clock.now(),
  }
  const offered: OfferedTool[] = []
  for (const tool of OFFERED) offered.push(...(await tool.offer(deps, toolContext)))
  const hasActions = PLAN_LIMITS[company.plan as Plan].developer
  if (hasActions) offered.push(...(await listActionTools(deps.db.kysely, company.id, () => true)))
  return offered
}

async function prepareReply(
  { db, clock, ids }: ModelDeps,
  { companyId, settings, messages }: TryAssistant & { companyId: string },
): Promise<LoadedReply> {
  const now = clock.now()
  const company = await db.kysely
    .selectFrom('company')
    .innerJoin('account', 'account.id', 'company.accountId')
    .select(['company.id', 'company.name', 'company.timeZone', 'company.openingHours'])
    .select(['account.id as accountId', 'account.plan'])
    .where('company.id', '=', companyId)
    .executeTakeFirstOrThrow()
  const saved = await readAssistant(db.kysely, companyId)
  const draft = Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== undefined),
  ) as Partial<typeof saved>
  const { texts, updatedAt, ...rest } = { ...saved, ...draft }
  const talk = messages.map(({ by, text }, at) =>
    messageOf({
      by,
      text,
      id: `${TRIAL_ID}_${at}`,
      at: new Date(now.getTime() - messages.length + at),
      arrival: at,
    }),
  )
  return {
    reply: transientReply({
      id: ids.uuid(),
      companyId,
      conversationId: TRIAL_ID,
      messageId: talk.at(-1)!.id,
      now,
    }),
    company,
    settings: {
      companyId,
      ...rest,
      isOn: true,
      texts: JSON.stringify(texts),
      updatedAt: updatedAt ?? now,
    },
    hasModel: true,
    able: { hears: false, sees: false },
    conversation: {
      id: TRIAL_ID,
      channelType: CHANNEL_TYPE,
      contactId: null,
      visitorName: null,
      language: null,
      status: 'open',
      handledBy: 'assistant',
      takenOverUntil: null,
      lastCustomerAt: now,
    },
    contact: null,
    channel: {
      id: TRIAL_ID,
      type: CHANNEL_TYPE,
      isCoexistence: false,
      isConnected: true,
      disconnectedReason: null,
    },
    isDuringRun: false,
    hasProposal: false,
    steps: [],
    sent: [],
    talk,
    exchanged: [],
    doneBefore: [],
    candidates: null,
    offered: null,
    pending: noPendingWrites(),
    observes: new Set(),
    isForStaff: false,
  }
}

function messageOf({
  by,
  text,
  id,
  at,
  arrival,
}: TryAssistant['messages'][number] & {
  id: string
  at: Date
  arrival: number
}): ConversationMessage {
  const isCustomers = by === 'customer'
  return {
    id,
    direction: isCustomers ? 'in' : 'out',
    sender: isCustomers ? null : 'assistant',
    type: 'text',
    text,
    transcript: null,
    media: null,
    buttonPayload: null,
    replyId: null,
    createdAt: at,
    occurredAt: at,
    arrival,
    isOfRun: false,
  }
}
