import { LIVE_LIMITS } from '../../core/limits/deliveries.ts'
import type { Snapshot } from './live-changes.sql.ts'

/** The snapshot that a watcher had received at a message, with the time of the message. */
export type Position = { seen: Snapshot; at: Date }

const POSITION = /^(\d{1,15}(?:\.\d{1,15}){0,50})-(\d{1,15})$/

/** Returns a position in the form that a returning client sends. */
export function writePosition({ seen: { end, open }, at }: Position): string {
  const text = `${[end, ...open].join('.')}-${at.getTime()}`
  if (text.length <= LIVE_LIMITS.positionChars) return text
  // Too many transactions are open to list. Everything that ended since the oldest one is reported again.
  return `${Math.min(...open)}-${at.getTime()}`
}

/** Returns the position that a client names, or null where it is none. */
export function readPosition(text: string): Position | null {
  const [, seen, at] = POSITION.exec(text) ?? []
  if (seen === undefined) return null
  const [end, ...open] = seen.split('.').map(Number)
  return { seen: { end: end!, open }, at: new Date(Number(at)) }
}
