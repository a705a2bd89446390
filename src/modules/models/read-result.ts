/** Converts the result of an adapter to an answer of the port. */
import type { LanguageModelV4GenerateResult } from '@ai-sdk/provider'
import { MODEL_LIMITS } from '../../core/limits/models.ts'
import { hasMarkup, withoutMarkup } from '../../rules/assistant/model-markup.ts'
import { readWrittenCalls, type WrittenCall } from '../../rules/assistant/written-calls.ts'
import { compactJson, readJson, type JsonValue } from '../../rules/text/json-text.ts'
import { carriedOf } from './carried.ts'
import type { Answer, ModelRequest, ModelFailure, Thought, ToolCall, Usage } from './model.ts'
import type { OfferedTool } from '../../rules/assistant/offered-tool.ts'

/**
 * Converts the result of the model library to an answer: a text, tool calls, or a failure. A result with neither text
 * nor a call is a failure. Unrequested calls are left out, and a separate failure if there is nothing else: the model
 * works, but runs in a loop. Reasoning is removed, wherever the server left it, and calls in the text are read as
 * calls.
 *
 * Spec: Assistant › Markup of models.
 */
export function readResult(result: LanguageModelV4GenerateResult, request: ModelRequest): Answer {
  const finish = result.finishReason.unified
  if (finish === 'content-filter') return failed('filtered')
  if (finish === 'error' || finish === 'interrupted') return failed('answer_unreadable')
  const written = result.content
    .map((part) => (part.type === 'text' ? clean(part.text) : ''))
    .join('')
    .trim()
  const said = withoutMarkup(written)
  const mayCall = request.toolChoice !== 'none' && request.tools.length > 0
  const ofText = mayCall ? callsInText(said.text, request) : null
  const ofFields = mayCall ? readCalls(result) : []
  const text = ofText === null ? said.text : ''
  const calls = ofFields.length > 0 ? ofFields : (ofText ?? [])
  const thought = thoughtOf(result, said.thoughtChars)
  if (text === '' && calls.length === 0) {
    const hasCalled = result.content.some(({ type }) => type === 'tool-call')
    if (hasCalled) return failed('called_unasked')
    return failed(thought === null && written === '' ? 'answer_empty' : 'answer_only_reasoned')
  }
  return {
    ok: true,
    text,
    calls,
    finish: calls.length > 0 ? 'tools' : finish === 'length' ? 'length' : 'stop',
    usage: readUsage(result, request, { text: written, calls }),
    thought,
    carried: carriedOf(result, ofFields),
  }
}

function thoughtOf(
  { content, usage }: LanguageModelV4GenerateResult,
  charsInText: number,
): Thought | null {
  const charsInFields = content.reduce(
    (sum, part) => sum + (part.type === 'reasoning' ? part.text.length : 0),
    0,
  )
  const chars = charsInText + charsInFields
  const tokens = count(usage.outputTokens.reasoning) || null
  if (chars === 0 && tokens === null) return null
  return { chars, tokens, isInText: charsInText > 0 }
}

/** Returns the calls that the whole text consists of, if each names an offered tool; otherwise null. */
function callsInText(text: string, { tools }: ModelRequest): ToolCall[] | null {
  const written = readWrittenCalls(text)?.slice(0, MODEL_LIMITS.callsOfAnswer)
  const calls = written?.flatMap(({ name, input }, index) => {
    const tool = tools.find((one) => one.name === name)
    if (!tool) return []
    return [{ id: `written${index + 1}`, name, input: compactJson(typed(input, tool)) }]
  })
  return calls && calls.length === written?.length ? calls : null
}

/**
 * Parses arguments of forms that write all values as text: a value that the tool does not take as text is read as
 * JSON.
 */
function typed(input: WrittenCall['input'], { parameters }: OfferedTool): WrittenCall['input'] {
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => {
      const schema: { type?: unknown } | undefined = parameters.properties[key]
      if (typeof value !== 'string' || schema?.type === 'string' || schema?.type === undefined) {
        return [key, value]
      }
      const read = readJson(value)
      return [key, read.ok ? read.value : value]
    }),
  )
}

function failed(
  failure: Extract<
    ModelFailure,
    'filtered' | 'answer_unreadable' | 'answer_empty' | 'answer_only_reasoned' | 'called_unasked'
  >,
): Answer {
  return { ok: false, failure, status: 200, retryAfterMs: null }
}

/** Returns as many calls as a reply can use: a server may send any number, all with the same id. */
function readCalls({ content }: LanguageModelV4GenerateResult): ToolCall[] {
  const ids = new Set<string>()
  const written = content.filter((part) => part.type === 'tool-call')
  return written.slice(0, MODEL_LIMITS.callsOfAnswer).map((part) => {
    const name = nameOf(clean(part.toolName))
    let id = clean(part.toolCallId)
    // Two calls with the same id would receive the same result.
    while (ids.has(id)) id = `${id}+`
    ids.add(id)
    return { id, name, input: withoutThoughts(clean(part.input)) }
  })
}

/** Removes channel markup that a server left in a name: `find_slots<|channel|>commentary`. */
const nameOf = (name: string): string => name.replace(/<[|｜].*$/su, '').trim()

/** Removes reasoning from arguments: staff reads some of them unchanged. */
function withoutThoughts(input: string): string {
  if (!hasMarkup(input)) return input
  const read = readJson(input, { mustBeContainer: true })
  if (!read.ok) return input
  const entries = Object.entries(read.value as Record<string, JsonValue>)
  return compactJson(
    Object.fromEntries(
      entries.map(([key, value]) => [
        key,
        typeof value === 'string' ? withoutMarkup(value).text : value,
      ]),
    ),
  )
}

/** Removes characters that PostgreSQL text cannot store. */
const clean = (text: unknown): string =>
  typeof text === 'string' ? text.toWellFormed().replaceAll('\0', '') : ''

function readUsage(
  { usage }: LanguageModelV4GenerateResult,
  request: ModelRequest,
  answered: { text: string; calls: readonly ToolCall[] },
): Usage {
  const tokensIn = count(usage.inputTokens.total)
  const tokensOut = count(usage.outputTokens.total)
  if (tokensIn > 0 && tokensOut > 0) return { tokensIn, tokensOut, isEstimated: false }
  return {
    tokensIn: tokensIn || estimateRequest(request),
    tokensOut: tokensOut || estimateTokens(answered),
    isEstimated: true,
  }
}

/** Maximum number that is accepted from a server. */
const MAX_COUNT = 100_000_000

function count(given: number | undefined): number {
  return given !== undefined && Number.isSafeInteger(given) && given > 0 && given <= MAX_COUNT
    ? given
    : 0
}

/** Estimates the tokens of a request, where the server reports none. Spec: Assistant › Models. */
export function estimateRequest({ instructions, messages, tools }: ModelRequest): number {
  const images = messages.filter((said) => said.by === 'customer' && said.image !== undefined)
  const said = messages.map((one) => (one.by === 'customer' ? one.text : one))
  return estimateTokens({ instructions, said, tools }) + images.length * MODEL_LIMITS.imageTokens
}

function estimateTokens(value: object): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify(value)) / MODEL_LIMITS.bytesAToken)
}
