/** The scripted responses of a model, one for each request, in the protocol of the request. */

export type Called = {
  name: string
  /** An object, or the text in place of its JSON. */
  input: object | string
  id?: string
}

type Headers = Record<string, string>

export type Turn =
  | { kind: 'answer'; text: string; calls: Called[]; finish?: 'length' | 'filtered'; usage?: false }
  /** A status, headers and body as they are. */
  | { kind: 'raw'; status: number; headers?: Headers; body: string }
  | { kind: 'reset' }
  | { kind: 'hang' }
  /** A byte of a body now and then, without end. */
  | { kind: 'drip' }
  /** A body of this number of bytes. */
  | { kind: 'large'; bytes: number; isSized: boolean }

const JSON_TYPE = { 'content-type': 'application/json' }

const SAYS = { kind: 'answer', text: '', calls: [] } satisfies Turn
export const say = (text: string): Turn => ({ ...SAYS, text })
export const call = (name: string, input: object | string = {}, text = ''): Turn => ({
  ...SAYS,
  text,
  calls: [{ name, input }],
})
export const callAll = (...calls: Called[]): Turn => ({ ...SAYS, calls })
export const empty = (): Turn => say('')
export const withoutUsage = (text: string): Turn => ({ ...SAYS, text, usage: false })
export const cutAtLength = (text: string): Turn => ({ ...SAYS, text, finish: 'length' })
export const filtered = (): Turn => ({ ...SAYS, finish: 'filtered' })
export const raw = (status: number, body: string, headers: Headers = JSON_TYPE): Turn => {
  return { kind: 'raw', status, headers, body }
}
export const html = (): Turn =>
  raw(200, '<!doctype html><title>Welcome</title>', { 'content-type': 'text/html' })
export const withoutChoices = (): Turn =>
  raw(200, '{"id":"x","object":"chat.completion","choices":[]}')
export const halfStream = (): Turn =>
  raw(200, 'data: {"choices":[{"delta":{"content":"Hel', { 'content-type': 'text/event-stream' })
/** Returns a refusal that echoes the request, as some servers do. */
export const refuse = (status: number, headers: Headers = {}): Turn =>
  raw(status, 'ECHO', { ...JSON_TYPE, ...headers })
export const redirect = (to: string): Turn => raw(302, '', { location: to })
export const contextTooLong = (): Turn =>
  raw(
    400,
    '{"error":{"message":"This model\'s maximum context length is 8192 tokens","code":"context_length_exceeded"}}',
  )
export const reset = (): Turn => ({ kind: 'reset' })
export const hang = (): Turn => ({ kind: 'hang' })
export const drip = (): Turn => ({ kind: 'drip' })
export const large = (megabytes: number, isSized = false): Turn => ({
  kind: 'large',
  bytes: megabytes * 1_048_576,
  isSized,
})

type Answered = Extract<Turn, { kind: 'answer' }>

const inputText = (input: Called['input']): string =>
  typeof input === 'string' ? input : JSON.stringify(input)

/** Returns the response of `/v1/chat/completions`. */
export function toCompletion({ text, calls, finish, usage }: Answered, number: number): object {
  const tool_calls = calls.map(({ name, input, id }, at) => ({
    id: id ?? `call_${number}_${at}`,
    type: 'function',
    function: { name, arguments: inputText(input) },
  }))
  const reasons = { length: 'length', filtered: 'content_filter' }
  return {
    id: `chatcmpl-${number}`,
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'scripted',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text === '' ? null : text,
          ...(tool_calls.length > 0 && { tool_calls }),
        },
        finish_reason: finish ? reasons[finish] : calls.length > 0 ? 'tool_calls' : 'stop',
      },
    ],
    ...(usage !== false && {
      usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
    }),
  }
}

/** Returns the same response in pieces, as server-sent events. */
export function toEvents(turn: Answered, number: number): string {
  const whole = toCompletion(turn, number) as {
    choices: { message: { content: string | null; tool_calls?: object[] }; finish_reason: string }[]
    usage?: object
  }
  const { message, finish_reason } = whole.choices[0]!
  const piece = (delta: object, finish: string | null) => ({
    id: `chatcmpl-${number}`,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  const pieces = [
    ...[...(message.content ?? '')].map((letter) => piece({ content: letter }, null)),
    ...(message.tool_calls ?? []).map((made, index) =>
      piece({ tool_calls: [{ index, ...made }] }, null),
    ),
    piece({}, finish_reason),
    ...(whole.usage ? [{ id: `chatcmpl-${number}`, choices: [], usage: whole.usage }] : []),
  ]
  return [...pieces.map((each) => `data: ${JSON.stringify(each)}\n\n`), 'data: [DONE]\n\n'].join('')
}

/** Returns the response of `/v1/messages`. The input of its calls is an object, so it cannot carry bad JSON. */
export function toMessage({ text, calls, finish, usage }: Answered, number: number): object {
  const reasons = { length: 'max_tokens', filtered: 'refusal' }
  return {
    id: `msg_${number}`,
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    content: [
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...calls.map(({ name, input, id }, at) => ({
        type: 'tool_use',
        id: id ?? `toolu_${number}_${at}`,
        name,
        input,
      })),
    ],
    stop_reason: finish ? reasons[finish] : calls.length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    ...(usage === false
      ? { usage: { input_tokens: 0, output_tokens: 0 } }
      : { usage: { input_tokens: 100, output_tokens: 20 } }),
  }
}
