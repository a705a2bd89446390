/** Reads the parts of a request to `/v1/chat/completions` that the script uses. */

/** A tool that the request offers. */
export type OfferedFunction = {
  name: string
  /** The names of the required arguments. */
  required: string[]
  properties: Record<string, { enum?: string[] }>
}

/** The result of a tool that the model has called. */
export type ToolResult = { name: string; text: string }

/** The parts of a request that the script uses. */
export type ChatRequest = {
  instructions: string
  /** The customer's last message. */
  lastMessage: string
  /** The assistant's message before it; empty if there is none. */
  previousAnswer: string
  /** Results of tools since the customer's last message, in order. */
  results: ToolResult[]
  tools: OfferedFunction[]
}

type Message = {
  role?: unknown
  content?: unknown
  tool_call_id?: unknown
  tool_calls?: { id?: unknown; function?: { name?: unknown } }[]
}

type Body = {
  messages?: Message[]
  tools?: {
    function?: { name?: unknown; parameters?: { required?: unknown; properties?: unknown } }
  }[]
  tool_choice?: unknown
}

/** Reads a chat completion request to the scripted model. Missing parts are empty. */
export function readChatRequest(body: unknown): ChatRequest {
  const { messages, tools, tool_choice: choice } = (body ?? {}) as Body
  const all = Array.isArray(messages) ? messages : []
  const lastCustomerIndex = all.findLastIndex(({ role }) => role === 'user')
  const before = all
    .slice(0, Math.max(lastCustomerIndex, 0))
    .findLast(({ role }) => role === 'assistant')
  const since = all.slice(lastCustomerIndex + 1)
  const names = new Map(
    since.flatMap(({ tool_calls: calls }) =>
      (calls ?? []).map((made) => [made.id, textOf(made.function?.name)] as const),
    ),
  )
  return {
    instructions: all.flatMap((one) => (isSystem(one) ? [textOf(one.content)] : [])).join('\n'),
    lastMessage: textOf(all[lastCustomerIndex]?.content),
    previousAnswer: textOf(before?.content),
    results: since.flatMap(({ role, content, tool_call_id: id }) =>
      role === 'tool'
        ? [{ name: names.get(id) ?? '', text: withoutDelimiters(textOf(content)) }]
        : [],
    ),
    tools: choice === 'none' || !Array.isArray(tools) ? [] : tools.map(readTool),
  }
}

const isSystem = ({ role }: Message): boolean => role === 'system' || role === 'developer'

function readTool({ function: offered }: NonNullable<Body['tools']>[number]): OfferedFunction {
  const { required, properties } = offered?.parameters ?? {}
  return {
    name: textOf(offered?.name),
    required: Array.isArray(required) ? required.map(textOf) : [],
    properties: (properties ?? {}) as OfferedFunction['properties'],
  }
}

/** Returns a text, or the joined texts of its parts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: { text?: unknown }) => textOf(part.text)).join('\n')
}

const withoutDelimiters = (text: string): string =>
  text.replaceAll(/<<[^<>]{0,80}>>\n?/g, '').trim()
