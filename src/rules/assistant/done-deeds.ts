/** What was done in a reply or before it, and which claims of being done it bears out. */
import {
  CLAIM_KINDS,
  DEED_WORDS,
  LOOKING_WORDS,
  type ClaimKind,
} from '../../vocabulary/done-claims.ts'
import { namesDeed, type Claim } from './done-claims.ts'

export type Deed = {
  /** The tool that succeeded. */
  name: string
  /** What it told. */
  told: string
  /** It may have changed something: an action that only asks has not. */
  hasEffect: boolean
}

const OURS: Partial<Record<string, ClaimKind>> = {
  book_appointment: 'booked',
  cancel_appointment: 'cancelled',
  set_customer: 'changed',
  record_lead: 'other',
}
const OF_ACTIONS = 'action_'

/**
 * Whether something was done that is of the kind that is claimed, as far as names tell: an action whose name
 * tells nothing may be anything. What a system of the shop has answered may be repeated as it was told; that
 * it was done just now only where something was.
 */
export function isCovered({ kind, isOwn }: Claim, deeds: readonly Deed[]): boolean {
  return deeds.some(({ name, told, hasEffect }) => {
    const kinds = hasEffect ? kindsOf(name) : []
    if (kinds.includes(kind) || (kind === 'other' && kinds.length > 0)) return true
    const mayRepeat = name.startsWith(OF_ACTIONS) && (!isOwn || kinds.length > 0)
    return mayRepeat && namesDeed(told, kind)
  })
}

/** What a tool may have done; nothing of one that only looks. */
function kindsOf(name: string): readonly ClaimKind[] {
  if (!name.startsWith(OF_ACTIONS)) return OURS[name] ? [OURS[name]] : []
  const words = name
    .slice(OF_ACTIONS.length)
    .toLowerCase()
    .split(/[^a-z]+/)
  const does = CLAIM_KINDS.filter(
    (kind) =>
      kind !== 'other' && words.some((word) => DEED_WORDS[kind].some((of) => word.startsWith(of))),
  )
  if (does.length > 0) return does
  return words.some((word) => LOOKING_WORDS.includes(word)) ? [] : CLAIM_KINDS
}
