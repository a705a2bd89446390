/**
 * The forced outcome of a send, chosen by the last digits of its number. There are no other faults, so that a test
 * that failed once fails every time.
 */
export type ForcedOutcome =
  /** The send is refused immediately. */
  | { kind: 'refused'; code: number }
  /** The send is accepted, and a `failed` status follows. */
  | { kind: 'fails'; code: number }
  /** The send is accepted, and the connection breaks before the answer. */
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

/** Returns the forced outcome of a number; null for all other numbers. */
export function forcedOutcome(number: string): ForcedOutcome | null {
  return BY_SUFFIX.find(([suffix]) => number.endsWith(suffix))?.[1] ?? null
}
