import type { Transaction } from 'kysely'
import type { DB } from '../../../infra/database/tables.ts'
import { transaction } from '../../../infra/database/transaction.ts'
import type { Ids } from '../../../core/ids.ts'
import { requestLeads } from '../../leads/request-leads.ts'
import { LEAD_LIMITS } from '../../../core/limits/leads.ts'
import { cleanText, cutCodePoints } from '../../../rules/text/json-text.ts'
import { LEAD_TEMPERATURES, type LeadTemperature } from '../../../core/vocabulary/leads.ts'
import { lockForChange, NOT_HANDLED_HERE } from './lock-for-change.ts'
import { readChoiceArgument, readNamedArguments, refusalResult, WrongInput } from './read-input.ts'
import type { Tool, ToolResult, ToolContext } from './tool.ts'

const NAME = 'record_lead'

type Values = { score: number; temperature?: LeadTemperature; summary?: string }

/**
 * The tool that records how likely a customer is to buy. A lead whose score first reaches the company's threshold is
 * qualified immediately, or with its handover if the company has such leads handed over.
 *
 * Spec: Assistant › Tools; Leads › Making; Leads › Qualifying; reading S13.
 */
export const recordLeadTool: Tool = {
  offer: () =>
    Promise.resolve([
      {
        name: NAME,
        description:
          'Notes that the customer may buy, and how likely that is. Use it again when you learn more: the note is then changed. The customer is not told of it.',
        parameters: {
          type: 'object',
          properties: {
            score: { type: 'integer', minimum: 0, maximum: LEAD_LIMITS.maxScore },
            temperature: { type: 'string', enum: [...LEAD_TEMPERATURES] },
            summary: {
              type: 'string',
              maxLength: LEAD_LIMITS.summaryChars,
              description: 'For the staff: what they want, how much of it, by when',
            },
          },
          required: ['score'],
          additionalProperties: false,
        },
      },
    ]),
  isNamed: (name) => name === NAME,
  async use({ db, clock, ids }, toolContext, _name, args) {
    const values = readValues(args)
    if (values instanceof WrongInput) return refusalResult(values.message)
    return transaction(db, (tx) => record(tx, { ids, now: clock.now() }, toolContext, values))
  },
}

function readValues(args: unknown): Values | WrongInput {
  const given = readNamedArguments(args, ['score', 'temperature', 'summary'])
  if (given instanceof WrongInput) return given
  const { score, summary } = given
  const isScore = Number.isInteger(score) && (score as number) >= 0
  if (!isScore || (score as number) > LEAD_LIMITS.maxScore) {
    return new WrongInput(`score must be a whole number from 0 to ${LEAD_LIMITS.maxScore}.`)
  }
  const temperature = readChoiceArgument(given, 'temperature', LEAD_TEMPERATURES)
  if (temperature instanceof WrongInput) return temperature
  const text = typeof summary === 'string' ? cleanText(summary).trim() : ''
  return {
    score: score as number,
    ...(temperature !== null && { temperature }),
    ...(text !== '' && { summary: cutCodePoints(text, LEAD_LIMITS.summaryChars) }),
  }
}

async function record(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  toolContext: ToolContext,
  values: Values,
): Promise<ToolResult> {
  const locked = await lockForChange(tx, toolContext, deps.now)
  if (!locked) return NOT_HANDLED_HERE
  const reaches = values.score >= locked.qualifyAt
  const [change] = await requestLeads(tx, deps, [
    {
      company: { id: toolContext.companyId, name: locked.companyName },
      contactId: toolContext.contactId,
      conversationId: toolContext.conversationId,
      source: 'assistant',
      qualify: reaches && !locked.handsOver,
      ...values,
    },
  ])
  const noted = { text: 'It is noted.', isDone: true, hasEffect: true }
  if (!reaches || !locked.handsOver || change!.lead.status !== 'open') return noted
  const handsOver = { reason: 'qualified_lead', reasonText: null, qualifies: true }
  return {
    ...noted,
    text: 'It is noted, and the staff takes over from here: say one sentence to the customer.',
    handsOver,
  }
}

/**
 * Qualifies the open lead of a conversation's customer in the transaction of its handover, or creates a qualified one
 * if the customer has no open or qualified lead. A qualified lead only gets the id of this conversation.
 * Spec: Leads › Qualifying; Events › Order in a transaction.
 */
export async function qualifyLeadAtHandover(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  {
    company,
    ...customer
  }: {
    company: { id: string; name: string | null }
    contactId: string | null
    conversationId: string
  },
): Promise<void> {
  await requestLeads(tx, deps, [{ company, ...customer, source: 'assistant', qualify: true }])
}
