import { sql, type Kysely } from 'kysely'
import { draftProposal } from '../../connections/draft-proposal.ts'
import type { DB } from '../../../infra/database/tables.ts'
import { TOOL_LIMITS } from '../../../core/limits/tools.ts'
import { dayAndTimeInWords } from '../../../rules/appointments/appointment-values.ts'
import { normalizeReference } from '../../../rules/appointments/normalize-reference.ts'
import { NOTHING_FOUND } from '../../../rules/calls/action-answer.ts'
import {
  lookupResult,
  readNamedArguments,
  readTextArgument,
  refusalResult,
  WrongInput,
} from './read-input.ts'
import { languageOfTag } from './services.ts'
import type { Tool, ToolContext } from './tool.ts'

const NAME = 'cancel_appointment'

/**
 * The tool that proposes to cancel one of the customer's own appointments; for a widget visitor, one of this
 * conversation. It is cancelled once they agree. The existence of other customers' appointments is never revealed.
 *
 * Spec: Appointments › Cancelling; Calls › Confirmation.
 */
export const cancelAppointmentTool: Tool = {
  async offer({ db }, { companyId, known }) {
    if (!(known?.hasServices ?? (await hasServices(db.kysely, companyId)))) return []
    return [
      {
        name: NAME,
        description:
          'Proposes to cancel a coming appointment of this customer. The service itself asks them, and cancels it once they agree.',
        parameters: {
          type: 'object',
          properties: {
            reference: {
              type: 'string',
              description: 'Where the customer has several: the reference of the one they mean',
            },
          },
          required: [],
          additionalProperties: false,
        },
      },
    ]
  },
  isNamed: (name) => name === NAME,
  async use(context, toolContext, _name, args) {
    const given = readNamedArguments(args, ['reference'])
    if (given instanceof WrongInput) return refusalResult(given.message)
    const reference = readTextArgument(given, 'reference', TOOL_LIMITS.nameChars)
    if (reference instanceof WrongInput) return refusalResult(reference.message)
    const kept = reference === null ? null : normalizeReference(reference)
    const coming = await findComing(context.db.kysely, toolContext, kept, context.clock.now())
    if (coming.length === 0) return refusalResult(NOTHING_FOUND)
    const [first] = coming
    if (coming.length > 1)
      return lookupResult(`Ask which one they mean:\n${listed(coming, toolContext)}`)
    const { text, proposalId } = await draftProposal(context, toolContext, {
      appointment: { id: first!.id, version: first!.version },
    })
    return { text, isDone: true, hasEffect: false, proposalId }
  },
}

async function hasServices(db: Kysely<DB>, companyId: string): Promise<boolean> {
  const service = await db
    .selectFrom('service')
    .select('id')
    .where('companyId', '=', companyId)
    .where('deletedAt', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return service !== undefined
}

type Coming = {
  id: string
  version: number
  reference: string
  serviceName: string
  startsAt: Date
  zone: string
}

async function findComing(
  db: Kysely<DB>,
  { companyId, contactId, conversationId }: ToolContext,
  reference: string | null,
  now: Date,
): Promise<Coming[]> {
  const { rows } = await sql<Coming>`
    select id, version, reference, service_name, starts_at, zone from appointment
    where company_id = ${companyId} and status = 'confirmed' and starts_at > ${now}
      and (contact_id = ${contactId}
        or ${contactId}::uuid is null and conversation_id = ${conversationId})
      and (${reference}::text is null or reference = ${reference})
    order by starts_at, id limit ${TOOL_LIMITS.appointmentsListed}`.execute(db)
  return rows
}

function listed(coming: readonly Coming[], { language }: ToolContext): string {
  return coming
    .map(({ reference, serviceName, startsAt, zone }) => {
      return `${reference}: ${serviceName}, ${dayAndTimeInWords(startsAt, zone, languageOfTag(language))}`
    })
    .join('\n')
}
