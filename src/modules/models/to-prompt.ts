/** What is asked, in the form in which the adapters of the wires take it. */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
} from '@ai-sdk/provider'
import type { Carried } from './carried-forms.ts'
import type { ModelRequest, ChatMessage, ToolCall } from './model.ts'

/**
 * The instructions as one piece, then what was said. Ids of calls are given anew, by their order: what
 * one model's server wrote need not be an id for another's, and may stand there twice. What was told
 * to a call that is not there is left out, as is a call to which nothing was told.
 */
export function toCallOptions(ask: ModelRequest): Omit<LanguageModelV4CallOptions, 'abortSignal'> {
  return {
    prompt: [...toInstructions(ask), ...toMessages(ask.messages)],
    maxOutputTokens: ask.maxOutputTokens,
    ...(ask.tools.length > 0 && {
      tools: ask.tools.map(({ name, description, parameters }) => ({
        type: 'function' as const,
        name,
        description,
        inputSchema: parameters,
      })),
      toolChoice: { type: ask.toolChoice },
    }),
  }
}

function toInstructions({ instructions }: ModelRequest): LanguageModelV4Prompt {
  const content = instructions.map(({ text }) => text).join('\n\n')
  return content === '' ? [] : [{ role: 'system', content }]
}

/** Some servers want a customer's words first, and some of the history may be cut off. */
const BEGINNING = '(…)'

function toMessages(messages: readonly ChatMessage[]): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Prompt = []
  let calls = 0
  for (const [at, said] of messages.entries()) {
    if (said.by === 'tool') continue
    if (said.by === 'customer') {
      prompt.push({ role: 'user', content: toWords(said) })
      continue
    }
    if (prompt.length === 0)
      prompt.push({ role: 'user', content: [{ type: 'text', text: BEGINNING }] })
    const told = pairTold(said.calls, messages.slice(at + 1))
    const used = said.calls.flatMap((call, index) => {
      const text = told[index]
      const metadata = said.carried?.calls[call.id]
      return text === undefined ? [] : [{ ...call, id: wireId(++calls), text, metadata }]
    })
    prompt.push(...toTurn(said, used))
  }
  return prompt
}

function toWords({ text, image }: Extract<ChatMessage, { by: 'customer' }>) {
  if (!image) return [{ type: 'text' as const, text }]
  const { mediaType, bytes } = image
  return [
    { type: 'text' as const, text: image.text },
    { type: 'file' as const, mediaType, data: { type: 'data' as const, data: bytes } },
  ]
}

/** Nine letters and digits: the narrowest that servers take. */
const wireId = (number: number): string => `call${String(number).padStart(5, '0')}`

/** What each call was told, in the messages until somebody speaks again. */
function pairTold(
  calls: readonly ToolCall[],
  after: readonly ChatMessage[],
): (string | undefined)[] {
  const end = after.findIndex(({ by }) => by !== 'tool')
  const told = after.slice(0, end < 0 ? after.length : end).filter((said) => said.by === 'tool')
  return calls.map(({ id }) => {
    const at = told.findIndex(({ callId }) => callId === id)
    return at < 0 ? undefined : told.splice(at, 1)[0]!.text
  })
}

type BySelf = Extract<ChatMessage, { by: 'assistant' }>
/** A call with what it was told, and what its server wants back with it. */
type UsedCall = ToolCall & { text: string; metadata: Carried['calls'][string] | undefined }

function toTurn({ text, carried }: BySelf, used: UsedCall[]): LanguageModelV4Message[] {
  const reasoning = used.length > 0 ? (carried?.reasoning ?? '') : ''
  const content = [
    ...(reasoning === '' ? [] : [{ type: 'reasoning' as const, text: reasoning }]),
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...used.map(({ id, name, input, metadata }) => ({
      type: 'tool-call' as const,
      toolCallId: id,
      toolName: name,
      input: readObject(input),
      ...(metadata && { providerOptions: metadata }),
    })),
  ]
  if (content.length === 0) return []
  const spoken = { role: 'assistant' as const, content }
  if (used.length === 0) return [spoken]
  const results = used.map((call) => ({
    type: 'tool-result' as const,
    toolCallId: call.id,
    toolName: call.name,
    output: { type: 'text' as const, value: call.text },
  }))
  return [spoken, { role: 'tool', content: results }]
}

/** Bad JSON of a model is nothing that a server takes back: what it was told says what was wrong. */
function readObject(input: string): object {
  try {
    const value: unknown = JSON.parse(input)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  } catch {
    return {}
  }
}
