/**
 * Which channels and accounts a webhook names, before anybody knows whether it is the provider's. The
 * bytes are walked over once: nothing is built from them but the names, so that what a stranger sends
 * costs its length and no more, however deep, wide or broken it is. A JSON parser would stand still for
 * up to seconds over 4 MB of brackets.
 */
import { PROVIDER_LIMITS } from '../../limits/messaging.ts'
import type { NamedInWebhook } from '../channel-adapter.ts'
import { isPlainName } from '../plain-name.ts'

/** Where a name stands: the fields on the way to it. A list is looked through. */
export type Place = { fields?: Field[]; names?: 'routes' | 'accounts' }
type Field = { key: Uint8Array; place: Place }

export const field = (key: string, place: Place): Field => ({ key: Buffer.from(key), place })
export const object = (...fields: Field[]): Place => ({ fields })

const LONGEST_NAME = 64
const SLICE_BYTES = 262_144

/**
 * Walks over a body. Yields how many bytes it will look at next, so that the caller can let others go
 * first. Total: any bytes give an answer. Nothing in it is to be trusted yet.
 */
export function* peekNames(root: Place, body: Uint8Array): Generator<number, NamedInWebhook, void> {
  const names = { routes: new Set<string>(), accounts: new Set<string>() }
  /** The open lists and objects that lead somewhere; what lies below them is only counted. */
  const open: { place: Place; isList: boolean }[] = []
  let below = 0
  let pieces = 0
  let deepest = 0
  let isCut = false
  /** Of the value that comes next; null where it leads nowhere. */
  let next: Place | null = root
  let isKey = false
  let sliceEnd = 0

  const text = (from: number, to: number) =>
    to - from > LONGEST_NAME ? '' : Buffer.from(body.subarray(from, to)).toString('latin1')
  const add = (kind: 'routes' | 'accounts', from: number, to: number) => {
    const name = text(from, to)
    if (!isPlainName(name) || names[kind].has(name)) return
    if (names[kind].size < PROVIDER_LIMITS.webhookNames) names[kind].add(name)
    else isCut = true
  }

  const isTooComplex = () =>
    deepest > PROVIDER_LIMITS.webhookDepth || pieces > PROVIDER_LIMITS.webhookPieces

  for (let at = 0; at < body.length && !isTooComplex(); at += 1) {
    if (at >= sliceEnd) {
      const slice = Math.min(SLICE_BYTES, body.length - at)
      sliceEnd = at + slice
      yield slice
    }
    const byte = body[at]!
    if (byte === QUOTE) {
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
      if (isKey) pieces += 1
      if (below > 0) continue
      const here = open.at(-1)
      if (isKey && here) {
        next = fieldOf(here.place, body, from, at)
      } else if (next?.names) {
        add(next.names, from, at)
      }
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      pieces += 1
      const isList = byte === OPEN_LIST
      // A list of lists leads nowhere.
      if (below > 0 || next?.fields === undefined || (isList && open.at(-1)?.isList)) below += 1
      else open.push({ place: next, isList })
      deepest = Math.max(deepest, open.length + below)
      isKey = !isList
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      if (below > 0) below -= 1
      else open.pop()
      isKey = false
    } else if (byte === COLON) {
      isKey = false
    } else if (byte === COMMA) {
      const here = open.at(-1)
      // Below, what is a key is not known: it is counted by its colon's neighbour, the string.
      isKey = below > 0 || here?.isList === false
      if (below === 0) next = here?.isList ? here.place : null
    } else if (below === 0 && next?.names && isDigit(byte)) {
      const from = at
      while (at + 1 < body.length && at - from < LONGEST_NAME && isDigit(body[at + 1]!)) at += 1
      add(next.names, from, at + 1)
    }
  }
  return {
    routes: [...names.routes],
    accounts: [...names.accounts],
    isCut,
    isTooComplex: isTooComplex(),
  }
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
