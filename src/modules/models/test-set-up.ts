import { consumeRateLimit } from '../accounts/consume-rate-limit.sql.ts'
import { fact, type Fact } from '../../core/facts/fact.ts'
import { MODEL_LIMITS } from '../../core/limits/models.ts'
import { SECOND_MS } from '../../core/limits/units.ts'
import { isToolText } from '../../rules/assistant/written-calls.ts'
import { ServiceError } from '../../core/service-error.ts'
import { THINKING_SWITCHES, type ThinkingSwitch } from '../../core/vocabulary/models.ts'
import { countInFlight } from './count-in-flight.ts'
import { readCandidates } from './candidates.sql.ts'
import { countAnswer, noUse, recordUsage, type Use } from './record-usage.ts'
import type { ModelDeps } from './model-access.ts'
import type { Answer, ModelRequest, Transcription, Model, ModelFailure } from './model.ts'
import type { ModelSetUp } from './open-model.ts'

const TOOL = 'read_line'

/** The test question, without personal data: its answer shows whether the model can use tools. */
const QUESTION: ModelRequest = {
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
const LOOK: ModelRequest = {
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

/** The tests of a set-up: that the model uses a tool, and the additional abilities of its settings. */
export const SET_UP_TESTS = ['answers', 'hears', 'sees'] as const
export type SetUpTested = (typeof SET_UP_TESTS)[number]

/** The reason why a set-up is unusable, and the field that it concerns. */
type Unfit = {
  why: Fact
  field: 'key' | 'modelName' | 'baseUrl' | 'transcriptionModel' | 'readsImages'
}

/** The result of testing a set-up. */
export type SetUpTest = {
  /** The failure. Null when the model is fit for the assistant. */
  unfit: Unfit | null
  /** The setting that stops reasoning, where that was tested and the model is fit. */
  reasoning: FoundReasoning | null
  durationMs: number
}

type ToTest = { accountId: string; setUp: ModelSetUp; tests: readonly SetUpTested[] }

/**
 * Tests a model with a question that needs a tool, and with a built-in recording and picture for those abilities.
 * Each counts as a request of the day.
 * @throws rate_limited after 10 a minute in the account; limit_reached when the day's allowance is used up
 */
export async function testSetUp(
  deps: ModelDeps,
  { accountId, setUp, tests }: ToTest,
): Promise<SetUpTest> {
  const { db, clock, models } = deps
  const now = clock.now()
  await consumeRateLimit(db.kysely, { accountId, what: 'model_tests', now })
  const tokens = tests.length * MODEL_LIMITS.testTokens
  return countInFlight(models, { accountId, tokens }, (tokensInFlight) =>
    testWithinAllowance(deps, { accountId, setUp, tests, tokensInFlight }),
  )
}

async function testWithinAllowance(
  deps: ModelDeps,
  { accountId, setUp, tests, tokensInFlight }: ToTest & { tokensInFlight: number },
): Promise<SetUpTest> {
  const { db, clock, models } = deps
  const day = clock.now().toISOString().slice(0, 10)
  const known = await readCandidates(db.kysely, { accountId, day })
  const allowance = Math.min(known.tokensPerDay ?? Infinity, models.tokensPerDay)
  if (known.usedTokens + tokensInFlight >= allowance) {
    throw new ServiceError('limit_reached', fact('model_allowance_used_up'))
  }
  const startedAt = performance.now()
  const use = noUse()
  const open = (one: ModelSetUp) => models.open(one, 'guarded')
  const { unfit, reasoning } = await testEach(open, setUp, tests, use)
  const durationMs = Math.round(performance.now() - startedAt)
  if (use.requests > 0) {
    const usedBefore = known.usedTokens
    await recordUsage(deps, { accountId, day, purpose: 'playground', use, usedBefore, allowance })
  }
  return { unfit, reasoning, durationMs }
}

async function testEach(
  open: (setUp: ModelSetUp) => Model,
  setUp: ModelSetUp,
  tests: readonly SetUpTested[],
  use: Use,
): Promise<Pick<SetUpTest, 'unfit' | 'reasoning'>> {
  const { signal } = new AbortController()
  const isAsked = tests.includes('answers')
  const questioned = isAsked ? await sendQuestion(open, setUp, use, signal) : null
  const reasoning = questioned && questioned.reasoning
  const unfit =
    (questioned && classify(questioned.answer)) ??
    (await testMore(open(setUp), setUp, tests, use, signal))
  return { unfit, reasoning }
}

/** The switch that stops a model's reasoning; `reasonsAnyway` is true when no known switch does. */
export type FoundReasoning = { thinkingSwitch: ThinkingSwitch | null; reasonsAnyway: boolean }

/**
 * Sends the test question. Where a model reasons although it must not, tries each known switch until it answers
 * without reasoning. One that still reasons is called with more output tokens.
 */
async function sendQuestion(
  open: (setUp: ModelSetUp) => Model,
  setUp: ModelSetUp,
  use: Use,
  signal: AbortSignal,
): Promise<{ answer: Answer; reasoning: FoundReasoning }> {
  const callWith = async (thinkingSwitch: ThinkingSwitch | null, request = QUESTION) =>
    counted(use, await open({ ...setUp, thinkingSwitch }).call(request, signal))
  const roomy = { ...QUESTION, maxOutputTokens: MODEL_LIMITS.tokensOutReasoning }
  const found = (thinkingSwitch: ThinkingSwitch | null, reasonsAnyway = false) => ({
    thinkingSwitch,
    reasonsAnyway,
  })
  if (setUp.thinking === 'on')
    return { answer: await callWith(null, roomy), reasoning: found(null) }
  const known = setUp.thinkingSwitch ?? null
  const first = await callWith(known)
  if (!hasReasoned(first) || setUp.kind === 'anthropic') {
    return { answer: first, reasoning: found(known) }
  }
  for (const one of THINKING_SWITCHES) {
    const answer = await callWith(one)
    if (answer.ok && !hasReasoned(answer)) return { answer, reasoning: found(one) }
  }
  const answer = first.ok ? first : await callWith(null, roomy)
  return { answer, reasoning: found(null, true) }
}

const hasReasoned = (answer: Answer): boolean =>
  answer.ok ? answer.thought !== null : answer.failure === 'answer_only_reasoned'

async function testMore(
  model: Model,
  setUp: ModelSetUp,
  tests: readonly SetUpTested[],
  use: Use,
  signal: AbortSignal,
): Promise<Unfit | null> {
  if (tests.includes('hears') && model.hear) {
    use.requests += 1
    const heard = await model.hear({ bytes: silence(), mediaType: 'audio/wav' }, signal)
    if (!hasListened(heard)) {
      return { why: fact('model_hears_nothing'), field: 'transcriptionModel' }
    }
  }
  if (tests.includes('sees') && setUp.readsImages) {
    const seen = counted(use, await model.call(LOOK, signal))
    const hasLooked = seen.ok || EMPTY.includes(seen.failure)
    if (!hasLooked) return { why: fact('model_sees_nothing'), field: 'readsImages' }
  }
  return null
}

/** Failures of a model that accepted the picture, whatever its answer. */
const EMPTY: readonly ModelFailure[] = ['answer_empty', 'answer_only_reasoned', 'called_unasked']

/** Returns whether the server accepted the recording; silence may give no text. */
const hasListened = (heard: Transcription): boolean => heard.ok || heard.failure === 'answer_empty'

function counted(use: Use, answer: Answer): Answer {
  countAnswer(use, answer)
  return answer
}

function classifyAnswer({ thought, calls, text }: Extract<Answer, { ok: true }>): Unfit | null {
  if (thought?.isInText) return { why: fact('model_reasons_in_text'), field: 'modelName' }
  if (calls.some(({ name }) => name === TOOL)) return null
  const why = isToolText(text) ? 'model_calls_in_text' : 'model_without_tools'
  return { why: fact(why), field: 'modelName' }
}

function classify(answer: Answer): Unfit | null {
  if (answer.ok) return classifyAnswer(answer)
  const status = answer.status ?? 0
  switch (answer.failure) {
    case 'unauthorized':
      return { why: fact('model_unauthorized'), field: 'key' }
    case 'not_found':
    case 'rate_limited':
    case 'context_too_long':
    case 'answer_empty':
    case 'answer_only_reasoned':
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
        why: fact('model_answer_too_large', { max: MODEL_LIMITS.answerBytes }),
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
