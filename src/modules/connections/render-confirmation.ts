import type { Kysely } from 'kysely'
import type { TapTarget } from '../channels/outbound.ts'
import type { DB } from '../../infra/database/tables.ts'
import { dayAndTimeInWords } from '../../rules/appointments/appointment-values.ts'
import type { ActionArguments } from '../../rules/calls/action-arguments.ts'
import { actionWords } from '../../rules/calls/action-words.ts'
import { asTyped, nameAction, stateAction } from '../../rules/calls/state-action.ts'
import { widestForm } from '../../rules/flows/shape-question.ts'
import { capabilitiesOf } from '../../rules/messaging/channel-capabilities.ts'
import { countCodePoints } from '../../rules/text/json-text.ts'
import { textIn } from '../../rules/text/text-in.ts'
import { COMMA } from '../../core/words/comma.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'
import type { ClaimKind } from '../../core/vocabulary/statements/kinds.ts'
import { loadAction } from './load-action.ts'
import { agreePayload, declinePayload, type ProposalRow } from './proposal.ts'
import { toolOf } from './view-action.ts'

/**
 * The question that states a proposal to the customer. Without buttons the text asks for a word: the channel has none,
 * or the text is too long for them.
 */
export type ConfirmationQuestion = { text: string; buttons: TapTarget[] }

/**
 * Renders the question of a drafted or restated proposal; returns null when it can no longer be stated.
 * Spec: Calls › Confirmation.
 */
export async function renderConfirmation(
  db: Kysely<DB>,
  { companyId, proposalId }: { companyId: string; proposalId: string },
  language: Language,
): Promise<ConfirmationQuestion | null> {
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
  const { yes, no } = actionWords[language]
  return withButtons(proposal.channelType, text, language, [
    { label: yes, payload: agreePayload(proposalId) },
    { label: no, payload: declinePayload(proposalId) },
  ])
}

/** Returns the question in the form that the channel supports. */
function withButtons(
  channelType: string,
  text: string,
  language: Language,
  buttons: TapTarget[],
): ConfirmationQuestion {
  const form = widestForm(capabilitiesOf(channelType), buttons.length)
  const fits = form !== null && countCodePoints(text) <= form.textChars
  return fits ? { text, buttons } : { text: asTyped(text, language), buttons: [] }
}

/** Parses the arguments of a proposal by parameter; the action is stated and called with them. */
export function readStoredArguments({
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
  return stateAction({ toolName, ...definition }, readStoredArguments(proposal), language)
}

/** The subject of a proposal, for the assistant and the log. */
export type ProposalDescription = {
  tool: string
  /** The action with its arguments in words; null when it was deleted. */
  what: Readonly<Record<Language, string>> | null
  /** The effects of the action, as its merchant chose, or null. */
  does: readonly ClaimKind[] | null
}

/** Returns the tool of a proposal, what was stated, and what it does, in any state. */
export async function describeProposal(
  db: Kysely<DB>,
  { companyId, proposalId }: { companyId: string; proposalId: string },
): Promise<ProposalDescription> {
  const proposal = await db
    .selectFrom('actionProposal')
    .selectAll()
    .where('id', '=', proposalId)
    .where('companyId', '=', companyId)
    .executeTakeFirstOrThrow()
  const { actionId, appointmentId } = proposal
  if (appointmentId !== null) {
    const appointment = await readAppointment(db, companyId, appointmentId)
    const nameIn = (language: Language) =>
      `${actionWords[language].cancel_appointment}: ${appointmentInWords(appointment!, language).join(COMMA[language])}`
    const what = appointment ? { en: nameIn('en'), ar: nameIn('ar') } : null
    return { tool: 'cancel_appointment', what, does: ['cancels'] }
  }
  const action = await loadAction(db, { companyId, actionId: actionId! })
  if (!action) return { tool: 'action_', what: null, does: null }
  const { toolName, definition } = action
  const nameIn = (language: Language) =>
    nameAction({ toolName, ...definition }, readStoredArguments(proposal), language)
  const what = { en: nameIn('en'), ar: nameIn('ar') }
  return { tool: toolOf(toolName), what, does: definition.does }
}

async function stateCancelling(
  db: Kysely<DB>,
  { companyId, appointmentId, revision }: ProposalRow,
  language: Language,
): Promise<string | null> {
  const appointment = await readAppointment(db, companyId, appointmentId!)
  if (appointment?.version !== revision) return null
  return [actionWords[language].ask_to_cancel, ...appointmentInWords(appointment, language)].join(
    '\n',
  )
}

function readAppointment(db: Kysely<DB>, companyId: string, appointmentId: string) {
  return db
    .selectFrom('appointment')
    .select(['reference', 'serviceName', 'serviceNameAr', 'startsAt', 'zone', 'version'])
    .where('id', '=', appointmentId)
    .where('companyId', '=', companyId)
    .executeTakeFirst()
}

/** Returns the service and the time of an appointment in words. */
function appointmentInWords(
  {
    serviceName,
    serviceNameAr,
    startsAt,
    zone,
    reference,
  }: NonNullable<Awaited<ReturnType<typeof readAppointment>>>,
  language: Language,
): [what: string, when: string] {
  const service = textIn(language, serviceName, serviceNameAr)
  return [`${service} (${reference})`, dayAndTimeInWords(startsAt, zone, language)]
}
