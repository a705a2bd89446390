/**
 * Which channels and accounts a webhook names, before anybody knows whether it is the provider's. The
 * bytes are walked over once: nothing is built from them but the names, so that what a stranger sends
 * costs its length and no more, however deep, wide or broken it is. A JSON parser would stand still for
 * up to seconds over 4 MB of brackets.
 */
import { PROVIDER_LIMITS } from '../../../core/limits/messaging.ts'
import type { NamedInWebhook } from '../channel-adapter.ts'
import { isPlainName } from '../plain-name.ts'

/** Where a name stands: the fields on the way to it. A list is looked through. */
export type Place = { fields?: Field[]; names?: 'routes' | 'accounts' }
type Field = { key: Uint8Array; place: Place }

export const field = (key: string, place: Place): Field => ({ key: Buffer.from(key), place })
export const object = (...fields: Field[]): Place => ({ fields })

const LONGEST_NAME = 64
const SLICE_BYTES = 262_144

/** How far a walk has come. */
type Walk = {
  names: { routes: Set<string>; accounts: Set<string> }
  /** The open lists and objects that lead somewhere; what lies below them is only counted. */
  open: { place: Place; isList: boolean }[]
  below: number
  pieces: number
  deepest: number
  isCut: boolean
  /** Of the value that comes next; null where it leads nowhere. */
  next: Place | null
  isKey: boolean
}

/**
 * Walks over a body. Yields how many bytes it will look at next, so that the caller can let others go
 * first. Total: any bytes give an answer. Nothing in it is to be trusted yet.
 */
export function* peekNames(root: Place, body: Uint8Array): Generator<number, NamedInWebhook, void> {
  const walk: Walk = {
    names: { routes: new Set(), accounts: new Set() },
    open: [],
    below: 0,
    pieces: 0,
    deepest: 0,
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
        takeText(walk, body, from, at)
        break
      }
      case OPEN_OBJECT:
      case OPEN_LIST:
        openValue(walk, byte === OPEN_LIST)
        break
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        if (walk.below > 0) walk.below -= 1
        else walk.open.pop()
        walk.isKey = false
        break
      case COLON:
        walk.isKey = false
        break
      case COMMA:
        expectNext(walk)
        break
      default:
        if (isDigit(byte)) at = takeNumber(walk, body, at)
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

const isTooComplex = ({ deepest, pieces }: Walk) =>
  deepest > PROVIDER_LIMITS.webhookDepth || pieces > PROVIDER_LIMITS.webhookPieces

function takeText(walk: Walk, body: Uint8Array, from: number, to: number): void {
  if (walk.isKey) walk.pieces += 1
  if (walk.below > 0) return
  const here = walk.open.at(-1)
  if (walk.isKey && here) walk.next = fieldOf(here.place, body, from, to)
  else if (walk.next?.names) addName(walk, walk.next.names, body.subarray(from, to))
}

/** Returns where the number ends that begins at a place, as far as it may be a name. */
function takeNumber(walk: Walk, body: Uint8Array, from: number): number {
  if (walk.below > 0 || !walk.next?.names) return from
  let at = from
  while (at + 1 < body.length && at - from < LONGEST_NAME && isDigit(body[at + 1]!)) at += 1
  addName(walk, walk.next.names, body.subarray(from, at + 1))
  return at
}

function addName(walk: Walk, kind: 'routes' | 'accounts', bytes: Uint8Array): void {
  const names = walk.names[kind]
  const name = bytes.length > LONGEST_NAME ? '' : Buffer.from(bytes).toString('latin1')
  if (!isPlainName(name) || names.has(name)) return
  if (names.size < PROVIDER_LIMITS.webhookNames) names.add(name)
  else walk.isCut = true
}

function openValue(walk: Walk, isList: boolean): void {
  walk.pieces += 1
  const { next, open } = walk
  // A list of lists leads nowhere.
  if (walk.below > 0 || next?.fields === undefined || (isList && open.at(-1)?.isList))
    walk.below += 1
  else open.push({ place: next, isList })
  walk.deepest = Math.max(walk.deepest, open.length + walk.below)
  walk.isKey = !isList
}

function expectNext(walk: Walk): void {
  const here = walk.open.at(-1)
  // Below, what is a key is not known: it is counted by its colon's neighbour, the string.
  walk.isKey = walk.below > 0 || here?.isList === false
  if (walk.below === 0) walk.next = here?.isList ? here.place : null
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const COLON = 0x3a
const COMMA = 0x2c

function fieldOf(place: Place, body: Uint8Array, from: number, to: number): Place | null {
  const found = place.fields?.find(({ key }) => {
    if (key.length !== to - from) return false
    for (let at = 0; at < key.length; at += 1) if (key[at] !== body[from + at]) return false
    return true
  })
  return found?.place ?? null
}

const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39
