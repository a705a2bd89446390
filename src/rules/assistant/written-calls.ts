/** Reads calls of tools that a model wrote into its text, in the notations of servers that do not parse them. */
import { wordSet } from '../../core/vocabulary/word-set.ts'
import { isContainer, readJson, type JsonValue } from '../text/json-text.ts'
import { hasToolMark } from './model-markup.ts'

/** A call in a text. `input` is an object; notations without types give texts. */
export type WrittenCall = { name: string; input: Record<string, JsonValue> }

/** Returns the calls of a text; null when it has any other content. */
export function readWrittenCalls(written: string): WrittenCall[] | null {
  const bare = withoutFence(written.trim())
  const text = bare.includes('<｜') ? bare.replaceAll('｜', '|').replaceAll('▁', '_') : bare
  const reader: Reader = { text, at: 0, calls: [] }
  while (reader.at < text.length) {
    if (!skip(reader) && !FORMS.some((form) => form(reader))) return null
  }
  return reader.calls.length > 0 ? reader.calls : null
}

/** Returns whether a text has a call or a tool's result, or is only data. */
export function isToolText(text: string): boolean {
  const words = text.trim()
  if (hasToolMark(words) || FENCED.test(words) || isSteps(words)) return true
  const bare = withoutFence(words)
  if (/^(?:\{|\[)/.test(bare) && parse(bare) !== null) return true
  if (/^(?:null|true|false)$/.test(bare)) return true
  return isFunction(bare) || readWrittenCalls(bare) !== null
}

/** Returns whether a text contains an object in JSON notation, or a block of code. */
export function holdsJson(text: string): boolean {
  if (CODE.test(text)) return true
  return /\{\s{0,9}"[^"\n]{1,60}"\s{0,9}:/.test(text)
}

const CODE =
  /^[ \t]{0,3}`{3}[ \t]{0,3}(?:json|xml|html|yaml|python|py|bash|sh|shell|console|javascript|js|typescript|ts|sql|java|php|go|rust|ruby|http)[ \t]{0,3}$/im

type Reader = { text: string; at: number; calls: WrittenCall[] }

const FENCED = /^[ \t]{0,3}`{3}[ \t]{0,3}tool_?(?:code|calls?|outputs?)\b/im

function withoutFence(text: string): string {
  if (!text.startsWith('```') || !text.endsWith('```') || text.length < 6) return text
  return text
    .slice(3, -3)
    .replace(/^[\w-]{0,20}[ \t]{0,3}(?=\n|\{|\[)/, '')
    .trim()
}

const isSteps = (text: string): boolean =>
  /^[ \t]{0,3}action[ \t]{0,3}:/im.test(text) && /^[ \t]{0,3}action input[ \t]{0,3}:/im.test(text)

/** Returns whether a text is a function call, such as `[find_slots(day="Sunday")]` and `print(find_slots())`. */
function isFunction(text: string): boolean {
  if (!/^\[?[a-z][\w.]{0,63}\(/i.test(text) || !/\)\]?$/.test(text)) return false
  return /^\[?print\(/.test(text) || /\w\(\s{0,3}(?:\)|\w{1,64}\s{0,3}=)/.test(text)
}

/** Matches the separators around and between calls. */
const AROUND =
  /\s+|[,;]|<\/?(?:[a-z]{1,10}:)?(?:tool_calls?|function_calls?|tool_use|toolcalls?)>|<\|\/?(?:tool_calls?|python_tag|tool_calls?_section_(?:begin|end)|tool_calls?_(?:begin|end)|(?:start|end)_action|eom_id|eot_id|im_end)\|?>|\[\/?tool_calls\]|functools(?=\[)/iy

function skip(reader: Reader): boolean {
  return take(reader, AROUND) !== null
}

/** Consumes the match of a pattern at the reader's position. */
function take(reader: Reader, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = reader.at
  const found = pattern.exec(reader.text)
  if (found) reader.at += found[0].length
  return found
}

const FORMS: readonly ((reader: Reader) => boolean)[] = [
  readJsonForm,
  readFunctionTag,
  readInvokeTag,
  readNamedForm,
  readKeyed,
]

/** Reads `{"name": …, "arguments": {…}}`, alone or in a list. */
function readJsonForm(reader: Reader): boolean {
  const read = takeJson(reader)
  if (read === null) return false
  const calls = (Array.isArray(read) ? read : [read]).map(callIn)
  if (calls.length === 0 || calls.includes(null)) return false
  reader.calls.push(...(calls as WrittenCall[]))
  return true
}

function callIn(value: JsonValue): WrittenCall | null {
  if (!isObject(value)) return null
  const nested = value['function'] ?? value['tool_call'] ?? value['function_call']
  if (isObject(nested)) return callIn(nested)
  const name = value['name'] ?? value['tool_name'] ?? value['function'] ?? value['tool']
  const given = value['arguments'] ?? value['parameters'] ?? value['input'] ?? value['args'] ?? {}
  const input = typeof given === 'string' ? parse(given === '' ? '{}' : given) : given
  if (typeof name !== 'string' || !isObject(input)) return null
  const others = Object.keys(value).filter((key) => !MEMBERS.has(key))
  return others.length > 0 ? null : { name: plainName(name), input }
}

const MEMBERS =
  wordSet(`name tool_name function tool arguments parameters input args id tool_call_id call_id type
  index`)

const PARAMETER = /\s*<parameter(?:=|\s{1,3}name=)["']?([\w.-]{1,64})["']?[^<>\n]{0,60}>/iy

/** Reads `<function=name>` with an object or parameters. */
function readFunctionTag(reader: Reader): boolean {
  const opened = take(reader, /<function=["']?([\w.-]{1,100})["']?>/iy)
  if (!opened) return false
  const input = takeParameters(reader) ?? takeJson(reader)
  if (!isObject(input)) return false
  take(reader, /\s*<\/function>/iy)
  reader.calls.push({ name: plainName(opened[1]!), input })
  return true
}

/** Reads `<invoke name="…">` with parameters. */
function readInvokeTag(reader: Reader): boolean {
  const opened = take(reader, /<(?:[a-z]{1,10}:)?invoke\s{1,3}name=["']([\w.-]{1,100})["']>/iy)
  if (!opened) return false
  const input = takeParameters(reader) ?? {}
  if (!take(reader, /\s*<\/(?:[a-z]{1,10}:)?invoke>/iy)) return false
  reader.calls.push({ name: plainName(opened[1]!), input })
  return true
}

function takeParameters(reader: Reader): Record<string, JsonValue> | null {
  const input: Record<string, JsonValue> = {}
  for (let opened = take(reader, PARAMETER); opened; opened = take(reader, PARAMETER)) {
    const end = reader.text.indexOf('</parameter>', reader.at)
    if (end < 0) return null
    input[opened[1]!] = reader.text.slice(reader.at, end).replace(/^\n/, '').replace(/\n$/, '')
    reader.at = end + '</parameter>'.length
  }
  return Object.keys(input).length > 0 ? input : null
}

const NAMED =
  /(?:function<\|tool_sep\|>)?(?:action[ \t]{0,3}:[ \t]{0,3})?([a-z][\w.-]{0,100})(?::\d{1,4})?(?:\[call_id\][\w-]{1,64})?(?:\[args\]|<\|tool_sep\|>|<\|tool_call_argument_begin\|>|\s{0,3}action input[ \t]{0,3}:)?\s{0,3}(?:```(?:json)?\s{0,3})?(?=\{)/iy

/** Reads a name followed by an object, the notation of Mistral, DeepSeek, Kimi and the steps of ReAct. */
function readNamedForm(reader: Reader): boolean {
  const named = take(reader, NAMED)
  if (!named) return false
  const input = takeJson(reader)
  if (!isObject(input)) return false
  take(reader, /\s{0,3}```/y)
  reader.calls.push({ name: plainName(named[1]!), input })
  return true
}

/** Reads a name followed by keys and values, the notation of GLM. */
function readKeyed(reader: Reader): boolean {
  const named = take(reader, /([a-z][\w.-]{0,100})\s{0,3}(?=<arg_key>)/iy)
  if (!named) return false
  const input: Record<string, JsonValue> = {}
  const pair = /\s*<arg_key>([\w.-]{1,64})<\/arg_key>\s{0,3}<arg_value>/iy
  for (let key = take(reader, pair); key; key = take(reader, pair)) {
    const end = reader.text.indexOf('</arg_value>', reader.at)
    if (end < 0) return false
    input[key[1]!] = reader.text.slice(reader.at, end).trim()
    reader.at = end + '</arg_value>'.length
  }
  reader.calls.push({ name: plainName(named[1]!), input })
  return true
}

/** Consumes the object or list at the reader's position. */
function takeJson(reader: Reader): JsonValue {
  const end = endOfJson(reader.text, reader.at)
  if (end === null) return null
  const read = parse(reader.text.slice(reader.at, end))
  if (read !== null) reader.at = end
  return read
}

/** Returns the end of the object or list that begins at an index; null when it does not end. */
function endOfJson(text: string, from: number): number | null {
  if (text[from] !== '{' && text[from] !== '[') return null
  let depth = 0
  let isInString = false
  for (let at = from; at < text.length; at++) {
    const sign = text[at]
    if (isInString) {
      if (sign === '\\') at++
      else if (sign === '"') isInString = false
    } else if (sign === '"') isInString = true
    else if (sign === '{' || sign === '[') depth++
    else if (sign === '}' || sign === ']') {
      depth--
      if (depth === 0) return at + 1
    }
  }
  return null
}

function parse(text: string): JsonValue {
  const read = readJson(text)
  return read.ok ? read.value : null
}

const isObject = (value: JsonValue | undefined): value is Record<string, JsonValue> =>
  isContainer(value) && !Array.isArray(value)

const plainName = (name: string): string => name.trim().replace(/^functions\./, '')
