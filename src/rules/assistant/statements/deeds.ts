/** Decides which statements of a text are confirmed by acts in a reply or before it. */
import { wordSet } from '../../../core/vocabulary/word-set.ts'
import {
  CLAIM_KINDS,
  DEED_WORDS,
  KIND_WORDS,
  LOOKING_WORDS,
  type ClaimKind,
  type NamedKind,
} from '../../../core/vocabulary/statements/kinds.ts'
import { foldText } from '../../text/fold-text.ts'
import type { Statement } from './statement.ts'

/** A tool call that succeeded, with its result. */
export type Deed = {
  /** The tool that succeeded. */
  name: string
  /** The text of its result. */
  result: string
  /** The public part of the result, which any customer may read. */
  mayBeReported?: string
  /** True when it may have changed something; an action that only looks up has not. */
  hasEffect: boolean
  /** The kinds that its merchant chose; when absent, they are derived from its name. */
  does?: readonly ClaimKind[]
  /** The arguments as JSON; absent when they are no longer known. */
  input?: string | null
}

const OURS: Partial<Record<string, readonly ClaimKind[]>> = {
  book_appointment: ['books'],
  cancel_appointment: ['cancels'],
  set_customer: ['changes', 'opens'],
  record_lead: ['other'],
}
const OF_ACTIONS = 'action_'

/**
 * Returns whether an act of a tool confirms a statement of the model, by the kinds of the act or the words of its name.
 * A system's response may be repeated as received; that something was done just now needs an act.
 */
export function isConfirmed(statement: Statement, deeds: readonly Deed[]): boolean {
  const { kinds, form, numbers } = statement
  return deeds.some((deed) => {
    const does = kindsOfDeed(deed)
    if (!isAboutIt(numbers, deed)) return false
    if (does.length > 0 && (kinds.includes('other') || kinds.some((kind) => does.includes(kind))))
      return true
    const mayRepeat = deed.name.startsWith(OF_ACTIONS) && (form === 'theirs' || does.length > 0)
    return mayRepeat && isStatedIn(deed.result, statement)
  })
}

/** Returns the kinds of acts, such as booking or cancelling, of a tool call; empty for a look-up. */
export function kindsOfDeed({ name, hasEffect, does }: Deed): readonly ClaimKind[] {
  return hasEffect ? (does ?? kindsOfTool(name)) : []
}

/** Returns the kinds of acts, such as booking or cancelling, that a tool's name suggests; empty for a look-up. */
export function kindsOfTool(name: string): readonly ClaimKind[] {
  if (!name.startsWith(OF_ACTIONS)) return OURS[name] ?? []
  const words = name
    .slice(OF_ACTIONS.length)
    .toLowerCase()
    .split(/[^a-z]+/)
  const does = CLAIM_KINDS.filter(
    (kind) =>
      kind !== 'other' && words.some((word) => DEED_WORDS[kind].some((of) => word.startsWith(of))),
  )
  const looks = words.some((word) => LOOKING_WORDS.includes(word))
  // "order_status" asks; "cancel_order" does.
  if (looks && does.every((kind) => kind === 'opens')) return []
  return does.length > 0 ? does : CLAIM_KINDS
}

/**
 * Returns whether a statement and an act can concern the same order: by equal numbers, or because one of them names
 * none.
 */
function isAboutIt(numbers: readonly string[], { input, hasEffect }: Deed): boolean {
  if (!hasEffect || numbers.length === 0) return true
  const given = (input ?? '').match(/\d{3,}/g) ?? []
  return given.length === 0 || numbers.some((number) => given.some((one) => number.endsWith(one)))
}

/** Returns whether a system's response states such an act: it has a word of the kind, and no denial near it. */
export function isStatedIn(
  result: string,
  { kinds, word }: Pick<Statement, 'kinds' | 'word'>,
): boolean {
  const words = foldText(result).match(/[\p{L}\p{M}\p{N}']+/gu) ?? []
  const stem = word.slice(0, 5)
  return words.some((one, at) => {
    const isNamed = kinds.some((kind) =>
      kind === 'other' ? stem.length >= 4 && one.startsWith(stem) : namesKind(one, kind),
    )
    const near = words.slice(Math.max(0, at - 2), at + 3)
    return isNamed && !near.some((other) => DENIES.has(other))
  })
}

const DENIES =
  wordSet(`no not yet pending never false null none without awaiting لا لم لن ما قيد ليس غير بدون
  بانتظار معلق`)

/** Returns whether a word is one for acts of a kind. */
export function namesKind(word: string, kind: NamedKind): boolean {
  const { latin, arabic } = KIND_WORDS[kind]
  return /^\p{Script=Arabic}/u.test(word)
    ? arabic.test(word)
    : latin.some((beginning) => word.startsWith(beginning))
}
