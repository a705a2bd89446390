/**
 * Guesses the initial settings of a new action until its merchant chooses them: its effects, and its channels.
 *
 * Spec: Calls › AI actions.
 */
import { wordSet } from '../../core/vocabulary/word-set.ts'
import type { ActionChannels, ActionIdentity, CallMethod } from '../../core/vocabulary/calls.ts'
import { CLAIM_KINDS, type ClaimKind } from '../../core/vocabulary/statements/kinds.ts'
import { kindsOfTool } from './statements/deeds.ts'
import { foldText } from '../text/fold-text.ts'

/** Returns the kinds of effects that an action seems to have; empty for a look-up. */
export function guessDoes(toolName: string, method: CallMethod): ClaimKind[] {
  if (method === 'GET') return []
  // "cancel_order" concerns an order and opens none.
  const withoutOrder = kindsOfTool(`action_${toolName.replace(/(?<=[a-z0-9]_)orders?(?=_|$)/, '')}`)
  const isTelling = withoutOrder.length < CLAIM_KINDS.length
  const kinds = isTelling ? withoutOrder : kindsOfTool(`action_${toolName}`)
  // A meaningless name could stand for every effect, and choosing all would justify every claim.
  return kinds.length === CLAIM_KINDS.length ? ['other'] : [...kinds]
}

type LooksUp = {
  identity: ActionIdentity
  parameters: readonly { name: string; description: string }[]
}

const NUMBER_NAMES =
  wordSet(`number no num nr id order invoice ticket booking reservation appointment tracking shipment
  account phone mobile reference ref`)
const NUMBER_WORDS = /(?<!\p{L})(?:number|رقم)(?!\p{L})/u

/**
 * Suggests the channels on which a new AI action is offered. An action that looks up data by a guessable number begins
 * on verified channels, because the data may belong to another person.
 */
export function guessOfferedOn(
  { identity, parameters }: LooksUp,
  does: readonly ClaimKind[],
): ActionChannels {
  const byNumber = parameters.some(
    ({ name, description }) =>
      name.split('_').some((word) => NUMBER_NAMES.has(word)) ||
      NUMBER_WORDS.test(foldText(description)),
  )
  return identity === 'none' && does.length === 0 && byNumber ? 'verified' : 'all'
}
