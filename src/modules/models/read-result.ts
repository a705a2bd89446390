/** What an adapter read from a model's answer, in the words of the port. */
import type { LanguageModelV4GenerateResult } from '@ai-sdk/provider'
import { MODEL_LIMITS } from '../../core/limits/models.ts'
import { hasMarkup, withoutMarkup } from '../../rules/assistant/model-markup.ts'
import { readWrittenCalls, type WrittenCall } from '../../rules/assistant/written-calls.ts'
import { compactJson, readJson, type JsonValue } from '../../rules/text/json-text.ts'
import { carriedOf } from './carried.ts'
import type {
  Answer,
  ModelRequest,
  ModelFailure,
  OfferedTool,
  Thought,
  ToolCall,
  Usage,
} from './model.ts'

/**
 * An answer that holds neither text nor a call is none; calls that were not asked for are left out. Nothing
 * but such calls is a failure of its own: the model is well, and runs in a circle here. Reasoning is taken out,
 * wherever its server left it, and calls that stand in the text are read as calls.
 * Spec: Assistant › Markup of models.
 */
export function readResult(result: LanguageModelV4GenerateResult, ask: ModelRequest): Answer {
  const finish = result.finishReason.unified
  if (finish === 'content-filter') return failed('filtered')
  if (finish === 'error' || finish === 'interrupted') return failed('answer_unreadable')
  const written = result.content
    .map((part) => (part.type === 'text' ? clean(part.text) : ''))
    .join('')
    .trim()
  const said = withoutMarkup(written)
  const mayCall = ask.toolChoice !== 'none' && ask.tools.length > 0
  const ofText = mayCall ? callsInText(said.text, ask) : null
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
    usage: readUsage(result, ask, { text: written, calls }),
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

/** Calls that the whole text consists of, where each names a tool that was offered; null: none. */
function callsInText(text: string, { tools }: ModelRequest): ToolCall[] | null {
  const written = readWrittenCalls(text)?.slice(0, MODEL_LIMITS.callsOfAnswer)
  const calls = written?.flatMap(({ name, input }, place) => {
    const tool = tools.find((one) => one.name === name)
    if (!tool) return []
    return [{ id: `written${place + 1}`, name, input: compactJson(typed(input, tool)) }]
  })
  return calls && calls.length === written?.length ? calls : null
}

/** Some forms write every argument as text: what the tool does not take as text is read as JSON. */
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

/** As many as a reply could ever use: a server may write any number, all under one id. */
function readCalls({ content }: LanguageModelV4GenerateResult): ToolCall[] {
  const ids = new Set<string>()
  const written = content.filter((part) => part.type === 'tool-call')
  return written.slice(0, MODEL_LIMITS.callsOfAnswer).map((part) => {
    const name = nameOf(clean(part.toolName))
    let id = clean(part.toolCallId)
    // A server that gives two calls one id would have both told the same.
    while (ids.has(id)) id = `${id}+`
    ids.add(id)
    return { id, name, input: withoutThoughts(clean(part.input)) }
  })
}

/** Without what a server left of the channels of its model: `find_slots<|channel|>commentary`. */
const nameOf = (name: string): string => name.replace(/<[|｜].*$/su, '').trim()

/** Arguments without reasoning in them: staff reads some of them as they are. */
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

/** As a column of text can hold it. */
const clean = (text: unknown): string =>
  typeof text === 'string' ? text.toWellFormed().replaceAll('\0', '') : ''

function readUsage(
  { usage }: LanguageModelV4GenerateResult,
  ask: ModelRequest,
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
export function estimateAsk({ instructions, messages, tools }: ModelRequest): number {
  const images = messages.filter((said) => said.by === 'customer' && said.image !== undefined)
  const said = messages.map((one) => (one.by === 'customer' ? one.text : one))
  return estimateTokens({ instructions, said, tools }) + images.length * MODEL_LIMITS.imageTokens
}

function estimateTokens(value: object): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify(value)) / MODEL_LIMITS.bytesAToken)
}
