/** What an adapter read from a model's answer, in the words of the port. */
import type { LanguageModelV4GenerateResult } from '@ai-sdk/provider'
import { MODEL_LIMITS } from '../limits/models.ts'
import type { Answer, Ask, ModelFailure, ToolCall, Usage } from './model.ts'

/**
 * An answer that holds neither text nor a call is none; calls that were not asked for are left out. Nothing
 * but such calls is a failure of its own: the model is well, and runs in a circle here.
 */
export function readResult(result: LanguageModelV4GenerateResult, ask: Ask): Answer {
  const finish = result.finishReason.unified
  if (finish === 'content-filter') return failed('filtered')
  if (finish === 'error' || finish === 'interrupted') return failed('answer_unreadable')
  const text = result.content
    .map((part) => (part.type === 'text' ? clean(part.text) : ''))
    .join('')
    .trim()
  const mayCall = ask.toolChoice !== 'none' && ask.tools.length > 0
  const calls = mayCall ? readCalls(result) : []
  if (text === '' && calls.length === 0) {
    const hasCalled = result.content.some(({ type }) => type === 'tool-call')
    return failed(hasCalled ? 'called_unasked' : 'answer_empty')
  }
  return {
    ok: true,
    text,
    calls,
    finish: calls.length > 0 ? 'tools' : finish === 'length' ? 'length' : 'stop',
    usage: readUsage(result, ask, { text, calls }),
  }
}

function failed(
  failure: Extract<
    ModelFailure,
    'filtered' | 'answer_unreadable' | 'answer_empty' | 'called_unasked'
  >,
): Answer {
  return { ok: false, failure, status: 200, retryAfterMs: null }
}

/** As many as a reply could ever use: a server may write any number, all under one id. */
function readCalls({ content }: LanguageModelV4GenerateResult): ToolCall[] {
  const ids = new Set<string>()
  const written = content.filter((part) => part.type === 'tool-call')
  return written.slice(0, MODEL_LIMITS.callsOfAnswer).map((part) => {
    const name = clean(part.toolName)
    let id = clean(part.toolCallId)
    // A server that gives two calls one id would have both told the same.
    while (ids.has(id)) id = `${id}+`
    ids.add(id)
    return { id, name, input: clean(part.input) }
  })
}

/** As a column of text can hold it. */
const clean = (text: unknown): string =>
  typeof text === 'string' ? text.toWellFormed().replaceAll('\0', '') : ''

function readUsage(
  { usage }: LanguageModelV4GenerateResult,
  ask: Ask,
  answered: { text: string; calls: readonly ToolCall[] },
): Usage {
  const tokensIn = count(usage.inputTokens.total)
  const tokensOut = count(usage.outputTokens.total)
  if (tokensIn > 0 && tokensOut > 0) return { tokensIn, tokensOut, isEstimated: false }
  return {
    tokensIn: tokensIn || estimateAsk(ask),
    tokensOut: tokensOut || estimateTokens(answered),
    isEstimated: true,
  }
}

/** What a server tells is no number until it is looked at. */
const MOST_TOLD = 100_000_000

function count(told: number | undefined): number {
  return told !== undefined && Number.isSafeInteger(told) && told > 0 && told <= MOST_TOLD
    ? told
    : 0
}

/** Of what is asked, where nobody has counted. Spec: Assistant › Models. */
export function estimateAsk({ instructions, messages, tools }: Ask): number {
  const images = messages.filter((said) => said.by === 'customer' && said.image !== undefined)
  const said = messages.map((one) => (one.by === 'customer' ? one.text : one))
  return estimateTokens({ instructions, said, tools }) + images.length * MODEL_LIMITS.imageTokens
}

function estimateTokens(value: object): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify(value)) / MODEL_LIMITS.bytesAToken)
}
