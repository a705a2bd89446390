import { takeMinutePlace } from '../accounts/take-minute-place.sql.ts'
import { fact, type Fact } from '../facts/fact.ts'
import { MODEL_LIMITS } from '../limits/models.ts'
import { SECOND_MS } from '../limits/units.ts'
import { ServiceError } from '../service-error.ts'
import { readCandidates } from './candidates.sql.ts'
import { countUse, type Use } from './count-use.ts'
import type { ModelDeps } from './model-access.ts'
import type { Answer, Ask, Heard, Model, ModelFailure } from './model.ts'
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

/** A picture of one colour, 64 pixels wide. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAUElEQVR42u3PQQkAAAgEsGtiMTvY/2cE38JgBZaafi0CAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICApcFDaug0zYBAhwAAAAASUVORK5CYII=',
  'base64',
)
const LOOK: Ask = {
  instructions: [{ text: 'This is a test.' }],
  messages: [
    {
      by: 'customer',
      text: 'Of which colour is it? One word.',
      image: { mediaType: 'image/png', bytes: PICTURE, text: 'Of which colour is it? One word.' },
    },
  ],
  tools: [],
  toolChoice: 'none',
  maxOutputTokens: MODEL_LIMITS.testTokens,
}

/** A second of silence, as a WAV file of 8,000 samples of 16 bits. */
function silence(): Buffer {
  const samples = 8_000
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + samples * 2, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(samples, 24)
  head.writeUInt32LE(samples * 2, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(samples * 2, 40)
  return Buffer.concat([head, Buffer.alloc(samples * 2)])
}

/** What is looked at: that it uses a tool, and what it shall do beside. */
export const SET_UP_TESTS = ['answers', 'hears', 'sees'] as const
export type SetUpTested = (typeof SET_UP_TESTS)[number]

type Unfit = {
  why: Fact
  field: 'key' | 'modelName' | 'baseUrl' | 'transcriptionModel' | 'readsImages'
}

export type SetUpTest = {
  /** Why it is not fit for the assistant, and of which field that tells; null: it is. */
  unfit: Unfit | null
  durationMs: number
}

/**
 * Asks a model one test question with a tool, and where it shall hear or see, about a recording and a picture
 * of ours. Each counts as a request of the day.
 * @throws rate_limited after 10 a minute in the account; limit_reached when the day's allowance is used up
 */
export async function testSetUp(
  deps: ModelDeps,
  {
    accountId,
    setUp,
    tests,
  }: { accountId: string; setUp: ModelSetUp; tests: readonly SetUpTested[] },
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
  const use: Use = { requests: 0, tokensIn: 0, tokensOut: 0, estimated: 0 }
  const unfit = await testEach(models.open(setUp, 'guarded'), setUp, tests, use)
  const durationMs = Math.round(performance.now() - startedAt)
  if (use.requests > 0) {
    const usedBefore = known.usedTokens
    await countUse(deps, { accountId, day, purpose: 'playground', use, usedBefore, allowance })
  }
  return { unfit, durationMs }
}

async function testEach(
  model: Model,
  setUp: ModelSetUp,
  tests: readonly SetUpTested[],
  use: Use,
): Promise<Unfit | null> {
  const { signal } = new AbortController()
  if (tests.includes('answers')) {
    const unfit = judge(counted(use, await model.ask(QUESTION, signal)))
    if (unfit) return unfit
  }
  if (tests.includes('hears') && model.hear) {
    use.requests += 1
    const heard = await model.hear({ bytes: silence(), mediaType: 'audio/wav' }, signal)
    if (!hasListened(heard)) {
      return { why: fact('model_hears_nothing'), field: 'transcriptionModel' }
    }
  }
  if (tests.includes('sees') && setUp.readsImages) {
    const seen = counted(use, await model.ask(LOOK, signal))
    const hasLooked = seen.ok || EMPTY.includes(seen.failure)
    if (!hasLooked) return { why: fact('model_sees_nothing'), field: 'readsImages' }
  }
  return null
}

/** It took the picture, whatever it made of it. */
const EMPTY: readonly ModelFailure[] = ['answer_empty', 'called_unasked']

/** In silence nothing may be heard. */
const hasListened = (heard: Heard): boolean => heard.ok || heard.failure === 'answer_empty'

function counted(use: Use, answer: Answer): Answer {
  use.requests += 1
  if (answer.ok) {
    use.tokensIn += answer.usage.tokensIn
    use.tokensOut += answer.usage.tokensOut
    use.estimated += answer.usage.isEstimated ? 1 : 0
  }
  return answer
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

function judge(answer: Answer): Unfit | null {
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
    case 'called_unasked':
      return { why: fact('model_answer_empty'), field: 'modelName' }
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
