import { takeMinutePlace } from '../accounts/take-minute-place.sql.ts'
import { fact, type Fact } from '../facts/fact.ts'
import { MODEL_LIMITS } from '../limits/models.ts'
import { SECOND_MS } from '../limits/units.ts'
import { ServiceError } from '../service-error.ts'
import { readCandidates } from './candidates.sql.ts'
import { countUse } from './count-use.ts'
import type { ModelDeps } from './model-access.ts'
import type { Answer, Ask } from './model.ts'
import type { ModelSetUp } from './open-model.ts'

const TOOL = 'read_line'

/** Asks for nothing of anybody's: what a model makes of it shows whether it can use tools. */
const QUESTION: Ask = {
  instructions: [
    { text: `This is a test. Lines of the list can be read with the tool ${TOOL} alone.` },
  ],
  messages: [{ by: 'customer', text: `What does line 7 say? Use the tool ${TOOL}.` }],
  tools: [
    {
      name: TOOL,
      description: 'Reads a line of the list.',
      parameters: {
        type: 'object',
        properties: { line: { type: 'integer', description: 'Which line' } },
        required: ['line'],
        additionalProperties: false,
      },
    },
  ],
  toolChoice: 'auto',
  maxOutputTokens: MODEL_LIMITS.testTokens,
}

export type SetUpTest = {
  /** Why it is not fit for the assistant, and of which field that tells; null: it is. */
  unfit: { why: Fact; field: 'key' | 'modelName' | 'baseUrl' } | null
  durationMs: number
}

/**
 * Asks a model one test question with a tool. Counts as a request of the day.
 * @throws rate_limited after 10 a minute in the account; limit_reached when the day's allowance is used up
 */
export async function testSetUp(
  deps: ModelDeps,
  { accountId, setUp }: { accountId: string; setUp: ModelSetUp },
): Promise<SetUpTest> {
  const { db, clock, models } = deps
  const now = clock.now()
  await takePlace(deps, accountId, now)
  const day = now.toISOString().slice(0, 10)
  const known = await readCandidates(db.kysely, { accountId, day })
  const allowance = Math.min(known.tokensPerDay ?? Infinity, models.tokensPerDay)
  if (known.usedTokens >= allowance) {
    throw new ServiceError('limit_reached', fact('model_allowance_used_up'))
  }
  const startedAt = performance.now()
  const answer = await models.open(setUp, 'guarded').ask(QUESTION, new AbortController().signal)
  const durationMs = Math.round(performance.now() - startedAt)
  const { tokensIn, tokensOut, isEstimated } = answer.ok
    ? answer.usage
    : { tokensIn: 0, tokensOut: 0, isEstimated: false }
  await countUse(deps, {
    accountId,
    day,
    purpose: 'playground',
    use: { requests: 1, tokensIn, tokensOut, estimated: isEstimated ? 1 : 0 },
    usedBefore: known.usedTokens,
    allowance,
  })
  return { unfit: judge(answer), durationMs }
}

async function takePlace({ db }: ModelDeps, accountId: string, now: Date): Promise<void> {
  const most = MODEL_LIMITS.testsPerMinute
  const place = await takeMinutePlace(db.kysely, { accountId, what: 'model_tests', most, now })
  if (place.ok) return
  const freeAt = place.freesAt.toISOString()
  throw new ServiceError('rate_limited', fact('model_tests_a_minute', { most, freeAt }), {
    retryAfterMs: place.freesAt.getTime() - now.getTime(),
  })
}

function judge(answer: Answer): SetUpTest['unfit'] {
  if (answer.ok) {
    const isFit = answer.calls.some(({ name }) => name === TOOL)
    return isFit ? null : { why: fact('model_without_tools'), field: 'modelName' }
  }
  const status = answer.status ?? 0
  switch (answer.failure) {
    case 'unauthorized':
      return { why: fact('model_unauthorized'), field: 'key' }
    case 'not_found':
    case 'rate_limited':
    case 'context_too_long':
    case 'answer_empty':
    case 'filtered':
      return { why: fact(`model_${answer.failure}`), field: 'modelName' }
    case 'timeout':
      return {
        why: fact('model_timeout', { seconds: MODEL_LIMITS.requestMs / SECOND_MS }),
        field: 'modelName',
      }
    case 'server_error':
    case 'bad_request':
      return { why: fact(`model_${answer.failure}`, { status }), field: 'modelName' }
    case 'answer_too_large':
      return {
        why: fact('model_answer_too_large', { most: MODEL_LIMITS.answerBytes }),
        field: 'baseUrl',
      }
    case 'address_refused':
    case 'redirect_refused':
    case 'answer_unreadable':
      return { why: fact(`model_${answer.failure}`), field: 'baseUrl' }
    case 'unreachable':
    case 'cancelled':
    case 'circuit_open':
    case 'no_model':
    case 'allowance_used_up':
      return { why: fact('model_unreachable'), field: 'baseUrl' }
  }
}
