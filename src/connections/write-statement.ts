import type { Kysely } from 'kysely'
import type { TapTarget } from '../channels/outbound.ts'
import type { DB } from '../database/tables.ts'
import { dayInWords } from '../rules/appointments/appointment-values.ts'
import type { ActionArguments } from '../rules/calls/action-arguments.ts'
import { answerLabels, asTyped, stateAction } from '../rules/calls/state-action.ts'
import { widestForm } from '../rules/flows/shape-question.ts'
import { capabilitiesOf } from '../rules/messaging/channel-capabilities.ts'
import { countCodePoints } from '../rules/text/json-text.ts'
import { wallTextAt } from '../rules/time/zone.ts'
import type { Language } from '../vocabulary/hooks.ts'
import { loadAction } from './load-action.ts'
import { agreePayload, declinePayload, type ProposalRow } from './proposal.ts'

/** `buttons` is empty where the channel has none or the text is too long for them: the text then asks for a word. */
export type Statement = { text: string; buttons: TapTarget[] }

/**
 * What the customer is told of a proposal that is drafted, or of one that is stated once more. Null: it is no
 * longer there to be stated. Spec: Calls › Confirmation.
 */
export async function writeStatement(
  db: Kysely<DB>,
  { companyId, proposalId }: { companyId: string; proposalId: string },
  language: Language,
): Promise<Statement | null> {
  const proposal = await db
    .selectFrom('actionProposal')
    .innerJoin('conversation', 'conversation.id', 'actionProposal.conversationId')
    .selectAll('actionProposal')
    .select('conversation.channelType')
    .where('actionProposal.id', '=', proposalId)
    .where('actionProposal.companyId', '=', companyId)
    .where('actionProposal.state', 'in', ['drafted', 'proposed'])
    .executeTakeFirst()
  if (!proposal) return null
  const text =
    proposal.appointmentId === null
      ? await stateCall(db, proposal, language)
      : await stateCancelling(db, proposal, language)
  if (text === null) return null
  const { yes, no } = answerLabels(language)
  return withButtons(proposal.channelType, text, language, [
    { label: yes, payload: agreePayload(proposalId) },
    { label: no, payload: declinePayload(proposalId) },
  ])
}

/** A text that asks, in the form that a channel has for it. */
function withButtons(
  channelType: string,
  text: string,
  language: Language,
  buttons: TapTarget[],
): Statement {
  const form = widestForm(capabilitiesOf(channelType), buttons.length)
  const fits = form !== null && countCodePoints(text) <= form.textChars
  return fits ? { text, buttons } : { text: asTyped(text, language), buttons: [] }
}

/** What was written of arguments, as it is stated and called. */
export function storedArguments({
  arguments: stored,
}: Pick<ProposalRow, 'arguments'>): ActionArguments {
  return Object.fromEntries(JSON.parse(stored) as [string, string | null][])
}

async function stateCall(
  db: Kysely<DB>,
  proposal: ProposalRow,
  language: Language,
): Promise<string | null> {
  const { companyId, actionId, revision } = proposal
  const action = await loadAction(db, { companyId, actionId: actionId! })
  if (action?.revision !== revision) return null
  const { toolName, definition } = action
  return stateAction({ toolName, ...definition }, storedArguments(proposal), language)
}

const CANCEL = {
  en: (what: string, when: string) => `Shall I cancel this appointment?\n${what}\n${when}`,
  ar: (what: string, when: string) => `هل ألغي هذا الموعد؟\n${what}\n${when}`,
}

async function stateCancelling(
  db: Kysely<DB>,
  { companyId, appointmentId, revision }: ProposalRow,
  language: Language,
): Promise<string | null> {
  const appointment = await db
    .selectFrom('appointment')
    .select(['reference', 'serviceName', 'serviceNameAr', 'startsAt', 'zone', 'version'])
    .where('id', '=', appointmentId)
    .where('companyId', '=', companyId)
    .executeTakeFirst()
  if (appointment?.version !== revision) return null
  const { serviceName, serviceNameAr, startsAt, zone, reference } = appointment
  const service = language === 'ar' ? (serviceNameAr ?? serviceName) : serviceName
  const time = wallTextAt(zone, startsAt).slice(11)
  return CANCEL[language](
    `${service} (${reference})`,
    `${dayInWords(startsAt, zone, language)}, ${time}`.replace(',', language === 'ar' ? '،' : ','),
  )
}
