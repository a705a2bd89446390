/**
 * Extraction of the channels and accounts that a webhook names, before its signature is verified. The bytes are
 * scanned once and only the names are built, so that the cost is linear, however deep, wide or malformed the body is.
 * A JSON parser would block for seconds on 4 MB of brackets.
 */
import { PROVIDER_LIMITS } from '../../../core/limits/messaging.ts'
import type { WebhookNames } from '../channel-adapter.ts'
import { isPlainName } from '../plain-name.ts'

/** The position of names in JSON: the fields that lead to them, or the kind of the name here. Lists are transparent. */
export type NamePath = { fields?: Field[]; names?: 'routes' | 'accounts' }
type Field = { key: Uint8Array; path: NamePath }

/** Describes a field of a JSON object on the way to names, for `object`. */
export const field = (key: string, path: NamePath): Field => ({ key: Buffer.from(key), path })
/** Describes a JSON object by the fields that lead to names; other fields are skipped. */
export const object = (...fields: Field[]): NamePath => ({ fields })

const MAX_NAME_BYTES = 64
const SLICE_BYTES = 262_144

/** The state of a scan. */
type Walk = {
  names: { routes: Set<string>; accounts: Set<string> }
  /** Open lists and objects on a path to names; those nested in others are only counted. */
  open: { path: NamePath; isList: boolean }[]
  nested: number
  /** Fields, elements, lists and objects. */
  values: number
  maxDepth: number
  isCut: boolean
  /** The path of the next value; null when it leads to no name. */
  next: NamePath | null
  isKey: boolean
}

/**
 * Finds the ids of channels (`routes`) and of provider accounts in an unverified body, at the described places, without
 * parsing it. Yields how many bytes it scans next, for the time slicer. Total: any bytes yield a result.
 */
export function* peekNames(
  root: NamePath,
  body: Uint8Array,
): Generator<number, WebhookNames, void> {
  const walk: Walk = {
    names: { routes: new Set(), accounts: new Set() },
    open: [],
    nested: 0,
    values: 0,
    maxDepth: 0,
    isCut: false,
    next: root,
    isKey: false,
  }
  let sliceEnd = 0

  for (let at = 0; at < body.length && !isTooComplex(walk); at += 1) {
    if (at >= sliceEnd) {
      const slice = Math.min(SLICE_BYTES, body.length - at)
      sliceEnd = at + slice
      yield slice
    }
    const byte = body[at]!
    switch (byte) {
      case QUOTE: {
        const from = at + 1
        at = from
        while (at < body.length && body[at] !== QUOTE) {
          at += body[at] === BACKSLASH ? 2 : 1
          if (at >= sliceEnd) {
            const slice = Math.min(SLICE_BYTES, Math.max(body.length - at, 0))
            sliceEnd = at + slice
            yield slice
          }
        }
        readString(walk, body, from, at)
        break
      }
      case OPEN_OBJECT:
      case OPEN_LIST:
        openValue(walk, byte === OPEN_LIST)
        break
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        if (walk.nested > 0) walk.nested -= 1
        else walk.open.pop()
        walk.isKey = false
        break
      case COLON:
        walk.isKey = false
        break
      case COMMA:
        walk.values += 1
        expectNext(walk)
        break
      default:
        if (isDigit(byte)) at = readNumber(walk, body, at)
    }
  }
  const { routes, accounts } = walk.names
  return {
    routes: [...routes],
    accounts: [...accounts],
    isCut: walk.isCut,
    isTooComplex: isTooComplex(walk),
  }
}

const isTooComplex = ({ maxDepth, values }: Walk) =>
  maxDepth > PROVIDER_LIMITS.webhookDepth || values > PROVIDER_LIMITS.webhookValues

function readString(walk: Walk, body: Uint8Array, from: number, to: number): void {
  if (walk.nested > 0) return
  const here = walk.open.at(-1)
  if (walk.isKey && here) walk.next = fieldOf(here.path, body, from, to)
  else if (walk.next?.names) addName(walk, walk.next.names, body.subarray(from, to))
}

/** Returns the end of the number that starts at an offset, up to the length of a name. */
function readNumber(walk: Walk, body: Uint8Array, from: number): number {
  if (walk.nested > 0 || !walk.next?.names) return from
  let at = from
  while (at + 1 < body.length && at - from < MAX_NAME_BYTES && isDigit(body[at + 1]!)) at += 1
  addName(walk, walk.next.names, body.subarray(from, at + 1))
  return at
}

function addName(walk: Walk, kind: 'routes' | 'accounts', bytes: Uint8Array): void {
  const names = walk.names[kind]
  const name = bytes.length > MAX_NAME_BYTES ? '' : Buffer.from(bytes).toString('latin1')
  if (!isPlainName(name) || names.has(name)) return
  if (names.size < PROVIDER_LIMITS.webhookNames) names.add(name)
  else walk.isCut = true
}

function openValue(walk: Walk, isList: boolean): void {
  walk.values += 1
  const { next, open } = walk
  // Lists of lists contain no names.
  if (walk.nested > 0 || next?.fields === undefined || (isList && open.at(-1)?.isList))
    walk.nested += 1
  else open.push({ path: next, isList })
  walk.maxDepth = Math.max(walk.maxDepth, open.length + walk.nested)
  walk.isKey = !isList
}

function expectNext(walk: Walk): void {
  const here = walk.open.at(-1)
  walk.isKey = walk.nested === 0 && here?.isList === false
  if (walk.nested === 0) walk.next = here?.isList ? here.path : null
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const COLON = 0x3a
const COMMA = 0x2c

function fieldOf(path: NamePath, body: Uint8Array, from: number, to: number): NamePath | null {
  const found = path.fields?.find(({ key }) => {
    if (key.length !== to - from) return false
    for (let at = 0; at < key.length; at += 1) if (key[at] !== body[from + at]) return false
    return true
  })
  return found?.path ?? null
}

const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39
