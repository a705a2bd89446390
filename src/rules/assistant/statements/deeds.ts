/** What was done in a reply or before it, and which statements it bears out. */
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

export type Deed = {
  /** The tool that succeeded. */
  name: string
  /** What it told. */
  told: string
  /** What of that anybody may read, whoever asked. */
  mayBeTold?: string
  /** It may have changed something: an action that only asks has not. */
  hasEffect: boolean
  /** What it does, by its merchant's choice; absent: its name tells. */
  does?: readonly ClaimKind[]
  /** What it was called with, as JSON; absent where that is not known any more. */
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
 * Whether something was done that is of a kind that is stated: by what the action does, or as far as its name tells. What a system of the shop has answered may be repeated as it was told; that it was done
 * just now only where something was.
 */
export function isBorneOut(statement: Statement, deeds: readonly Deed[]): boolean {
  const { kinds, form, numbers } = statement
  return deeds.some((deed) => {
    const does = kindsOfDeed(deed)
    if (!isAboutIt(numbers, deed)) return false
    if (does.length > 0 && (kinds.includes('other') || kinds.some((kind) => does.includes(kind))))
      return true
    const mayRepeat = deed.name.startsWith(OF_ACTIONS) && (form === 'theirs' || does.length > 0)
    return mayRepeat && isTold(deed.told, statement)
  })
}

/** What was done for the customer; nothing where something was only looked up. */
export function kindsOfDeed({ name, hasEffect, does }: Deed): readonly ClaimKind[] {
  return hasEffect ? (does ?? kindsOfTool(name)) : []
}

/** What a tool may have done, as its name tells; nothing of one that only looks. */
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

/** Of two orders the one that is named in both is meant; where either names none, whichever there is. */
function isAboutIt(numbers: readonly string[], { input, hasEffect }: Deed): boolean {
  if (!hasEffect || numbers.length === 0) return true
  const given = (input ?? '').match(/\d{3,}/g) ?? []
  return given.length === 0 || numbers.some((number) => given.some((one) => number.endsWith(one)))
}

/** Whether a system has told so: a word of the kind stands in what it told, and nothing near denies it. */
export function isTold(told: string, { kinds, word }: Pick<Statement, 'kinds' | 'word'>): boolean {
  const words = foldText(told).match(/[\p{L}\p{M}\p{N}']+/gu) ?? []
  const stem = word.slice(0, 5)
  return words.some((one, at) => {
    const isNamed = kinds.some((kind) =>
      kind === 'other' ? stem.length >= 4 && one.startsWith(stem) : namesKind(one, kind),
    )
    const near = words.slice(Math.max(0, at - 2), at + 3)
    return isNamed && !near.some((beside) => DENIES.has(beside))
  })
}

const DENIES = new Set(
  'no not yet pending never false null none without awaiting لا لم لن ما قيد ليس غير بدون بانتظار معلق'.split(
    ' ',
  ),
)

export function namesKind(word: string, kind: NamedKind): boolean {
  const { latin, arabic } = KIND_WORDS[kind]
  return /^\p{Script=Arabic}/u.test(word)
    ? arabic.test(word)
    : latin.some((beginning) => word.startsWith(beginning))
}
