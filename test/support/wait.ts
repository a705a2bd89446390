/**
 * The waits of the tests. Every one has an end by real time, whatever clock the test moves, and says what it
 * waited for. Each look takes a separate turn of the event loop, so that a wait that goes on after its test has
 * ended still lets other time-outs fire.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { TIMEOUT_FACTOR } from './timeout-multiplier.ts'

/** The default has room for a busy machine; a test that waits for seconds by design passes more. */
const WITHIN_MS = 20_000
const LOOK_EVERY_MS = 5

/** `withinMs` is meant for a developer's machine, and is longer in CI. */
type Patience = { withinMs?: number; everyMs?: number }

/**
 * Calls `isSo` again and again until it returns true.
 * @throws Error when it does not within the time.
 */
export async function waitUntil(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  { withinMs = WITHIN_MS, everyMs = LOOK_EVERY_MS }: Patience = {},
): Promise<void> {
  const begin = performance.now()
  const maxMs = withinMs * TIMEOUT_FACTOR
  // oxlint-disable-next-line wasla/bounded-wait -- this is the bound
  while (!(await isSo())) {
    if (performance.now() - begin > maxMs) throw gaveUp(what, maxMs)
    await pause(everyMs)
  }
}

/**
 * Does it again and again while `isGoingOn`.
 * @throws Error when that does not end within the time.
 */
export async function repeatWhile(
  what: string,
  isGoingOn: () => boolean,
  doIt: () => Promise<unknown>,
  patience: Patience = {},
): Promise<void> {
  const isOver = async () => {
    if (isGoingOn()) await doIt()
    return !isGoingOn()
  }
  await waitUntil(`the end of: ${what}`, isOver, { everyMs: 0, ...patience })
}

/**
 * Does something again and again while `during` goes on, with this number of workers. Each can ask whether
 * `during` still goes on. Rethrows the error of a worker.
 * @throws Error when one does not end within the time.
 */
export async function repeatDuring(
  what: string,
  doIt: (isGoingOn: () => boolean) => Promise<unknown>,
  during: () => Promise<unknown>,
  { workers = 1, ...patience }: Patience & { workers?: number } = {},
): Promise<void> {
  let goesOn = true
  const isGoingOn = () => goesOn
  const working = Promise.all(
    Array.from({ length: workers }, () =>
      repeatWhile(what, isGoingOn, () => doIt(isGoingOn), patience),
    ),
  )
  working.catch(() => {})
  try {
    await during()
  } finally {
    goesOn = false
  }
  await working
}

/**
 * Returns the value of a promise.
 * @throws Error when it does not settle within the time.
 */
export async function inTime<Value>(
  what: string,
  promise: PromiseLike<Value>,
  withinMs = WITHIN_MS,
): Promise<Value> {
  const over = new AbortController()
  const maxMs = withinMs * TIMEOUT_FACTOR
  const late = pause(maxMs, undefined, over).then(() => {
    throw gaveUp(what, maxMs)
  })
  late.catch(() => {})
  try {
    return await Promise.race([promise, late])
  } finally {
    over.abort()
  }
}

const gaveUp = (what: string, ms: number) => new Error(`gave up after ${ms} ms: ${what}`)
