/**
 * Detects a conversation that runs in circles, as between two machines that answer each other. It runs at each customer
 * message, before any model is called.
 *
 * Spec: Assistant › Loop protection.
 */
import { LOOP_LIMITS } from '../../core/limits/assistant.ts'
import { foldText } from '../text/fold-text.ts'
import { countCodePoints } from '../text/json-text.ts'

/** The rule that a conversation has violated. */
export type LoopRule = 'messages' | 'replies' | 'quick' | 'same_text' | 'echo' | 'day'

/** A message of the conversation. */
export type ExchangedMessage = {
  at: Date
  /** `reply` is the first message of an assistant's reply; `ours` is any other message of the business. */
  by: 'customer' | 'reply' | 'ours'
  /** The customer's message: typed text, a button, a file that may belong to an album, or another kind. */
  kind: 'text' | 'button' | 'media' | 'other'
  /** The caption in a message with media. */
  text: string | null
}

/**
 * Returns the rule that the customer's last message violates; null when none. The history is sorted by time and begins
 * after the last return to automation. Messages older than a day matter only if they are the business's last ones.
 */
export function findLoop(history: readonly ExchangedMessage[]): LoopRule | null {
  const now = history.at(-1)
  if (now?.by !== 'customer') return null
  for (const [rule, isTripped] of Object.entries(RULES) as [LoopRule, Rule][]) {
    if (isTripped(history, now.at)) return rule
  }
  return null
}

type Rule = (history: readonly ExchangedMessage[], now: Date) => boolean

const RULES: Record<LoopRule, Rule> = {
  messages: (history, now) =>
    withoutAlbums(within(history, now, LOOP_LIMITS.messagesMs)).length > LOOP_LIMITS.messages,
  replies: (history, now) =>
    within(history, now, LOOP_LIMITS.repliesMs).filter(isReply).length >= LOOP_LIMITS.replies,
  quick: isQuick,
  same_text: isSameText,
  echo: isEcho,
  day: (history, now) =>
    history.filter((one) => isReply(one) && dayOf(one.at) === dayOf(now)).length >=
    LOOP_LIMITS.repliesOfDay,
}

const isReply = ({ by }: ExchangedMessage): boolean => by === 'reply'
const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

/** Returns the messages of the last `ms` milliseconds. */
function within(history: readonly ExchangedMessage[], now: Date, ms: number): ExchangedMessage[] {
  const since = now.getTime() - ms
  return history.slice(history.findLastIndex(({ at }) => at.getTime() <= since) + 1)
}

/** Returns the customer's messages, with only the first of each album. */
function withoutAlbums(history: readonly ExchangedMessage[]): ExchangedMessage[] {
  const theirs = history.filter(({ by }) => by === 'customer')
  return theirs.filter(({ kind, at }, place) => {
    const before = theirs[place - 1]
    const isOfAlbum =
      kind === 'media' &&
      before?.kind === 'media' &&
      at.getTime() - before.at.getTime() <= LOOP_LIMITS.albumGapMs
    return !isOfAlbum
  })
}

/**
 * Returns whether the customer's messages follow outbound ones too quickly. A tapped button neither counts nor ends the
 * series.
 */
function isQuick(history: readonly ExchangedMessage[]): boolean {
  let row = 0
  let ourLast: Date | null = null
  const counted = new Set(withoutAlbums(history))
  for (const one of history) {
    if (one.by !== 'customer') ourLast = one.at
    else if (one.kind !== 'button' && counted.has(one)) {
      const isSoon = ourLast && one.at.getTime() - ourLast.getTime() <= LOOP_LIMITS.quickMs
      row = isSoon ? row + 1 : 0
    }
  }
  return row >= LOOP_LIMITS.quick
}

function isSameText(history: readonly ExchangedMessage[], now: Date): boolean {
  const said = typed(history.at(-1)!)
  if (said === null || countCodePoints(said) < LOOP_LIMITS.minSameTextChars) return false
  const recent = within(history, now, LOOP_LIMITS.sameTextMs)
  const same = recent.filter((one) => one.by === 'customer' && typed(one) === said)
  return same.length >= LOOP_LIMITS.sameText
}

function isEcho(history: readonly ExchangedMessage[]): boolean {
  const ours: string[] = []
  let echoes = 0
  for (const one of history) {
    const text = foldText(one.text ?? '')
    if (one.by !== 'customer') {
      ours.push(text)
      if (ours.length > LOOP_LIMITS.echoedMessages) ours.shift()
    } else if (one.kind === 'text' && text !== '' && ours.includes(text)) echoes++
  }
  return echoes >= LOOP_LIMITS.echoes
}

/** Returns the customer's typed text, folded; null for any other kind of message. */
const typed = ({ kind, text }: ExchangedMessage): string | null =>
  kind === 'text' && text !== null ? foldText(text) : null
