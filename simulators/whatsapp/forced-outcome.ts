/**
 * What happens to a send because of the last digits of the number it goes to. Nothing else fails
 * by itself, so that a test that saw a failure once sees it every time.
 */
export type ForcedOutcome =
  /** Refused at once. */
  | { kind: 'refused'; code: number }
  /** Taken, and a `failed` status comes later. */
  | { kind: 'fails'; code: number }
  /** Taken, and the connection breaks before the answer. */
  | { kind: 'no_answer' }

const BY_SUFFIX: readonly [suffix: string, outcome: ForcedOutcome][] = [
  ['131026', { kind: 'fails', code: 131026 }],
  ['131047', { kind: 'fails', code: 131047 }],
  ['131049', { kind: 'fails', code: 131049 }],
  ['131050', { kind: 'fails', code: 131050 }],
  ['131042', { kind: 'fails', code: 131042 }],
  ['130429', { kind: 'refused', code: 130429 }],
  ['131030', { kind: 'refused', code: 131030 }],
  ['131056', { kind: 'refused', code: 131056 }],
  ['500500', { kind: 'refused', code: 131000 }],
  ['000000', { kind: 'no_answer' }],
]

/** The outcome that a number stands for; null for all the others. */
export function forcedOutcome(number: string): ForcedOutcome | null {
  return BY_SUFFIX.find(([suffix]) => number.endsWith(suffix))?.[1] ?? null
}
