/** Converts a request to the form of the protocol adapters. */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
} from '@ai-sdk/provider'
import type { Carried } from './carried-forms.ts'
import type { ModelRequest, ChatMessage, ToolCall } from './model.ts'

/**
 * Returns the options of a call: the instructions in one part, then the messages. Calls get new ids by their order,
 * because one model's ids may be invalid for another's server, or occur twice. Results without a call are left out,
 * as are calls without a result.
 */
export function toCallOptions(
  request: ModelRequest,
): Omit<LanguageModelV4CallOptions, 'abortSignal'> {
  return {
    prompt: [...toInstructions(request), ...toMessages(request.messages)],
    maxOutputTokens: request.maxOutputTokens,
    ...(request.tools.length > 0 && {
      tools: request.tools.map(({ name, description, parameters }) => ({
        type: 'function' as const,
        name,
        description,
        inputSchema: parameters,
      })),
      toolChoice: { type: request.toolChoice },
    }),
  }
}

function toInstructions({ instructions }: ModelRequest): LanguageModelV4Prompt {
  const content = instructions.map(({ text }) => text).join('\n\n')
  return content === '' ? [] : [{ role: 'system', content }]
}

/**
 * The first message where the history begins with the assistant: some servers require a customer's message first, and
 * the history may be cut.
 */
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
    const results = pairResults(said.calls, messages.slice(at + 1))
    const used = said.calls.flatMap((call, index) => {
      const text = results[index]
      const metadata = said.carried?.calls[call.id]
      return text === undefined ? [] : [{ ...call, id: idOfCall(++calls), text, metadata }]
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

/** Returns an id of nine letters and digits, the narrowest format that servers accept. */
const idOfCall = (number: number): string => `call${String(number).padStart(5, '0')}`

/** Returns the result of each call, from the messages up to the next one that is no result. */
function pairResults(
  calls: readonly ToolCall[],
  after: readonly ChatMessage[],
): (string | undefined)[] {
  const end = after.findIndex(({ by }) => by !== 'tool')
  const results = after.slice(0, end < 0 ? after.length : end).filter((said) => said.by === 'tool')
  return calls.map(({ id }) => {
    const at = results.findIndex(({ callId }) => callId === id)
    return at < 0 ? undefined : results.splice(at, 1)[0]!.text
  })
}

type BySelf = Extract<ChatMessage, { by: 'assistant' }>
/** A call with its result, and the opaque data that its server requires back. */
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

/**
 * Returns the parsed input, or an empty object: servers refuse invalid JSON, and the result of the call reports the
 * error.
 */
function readObject(input: string): object {
  try {
    const value: unknown = JSON.parse(input)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  } catch {
    return {}
  }
}
