/** The severity of a finding. */
export type Level = 'ok' | 'warning' | 'fault'

/** One line of the doctor's output. */
export type Finding = {
  level: Level
  /** The name of the check. */
  what: string
  detail: string
  /** The operator's remedy; present with every warning and fault. */
  remedy?: string
}

/** Creates a finding of the doctor that needs no action. */
export const ok = (what: string, detail: string): Finding => ({ level: 'ok', what, detail })
/** Creates a finding that the operator should act on soon. */
export const warning = (what: string, detail: string, remedy: string): Finding => ({
  level: 'warning',
  what,
  detail,
  remedy,
})
/** Creates a finding that keeps the service from working. */
export const fault = (what: string, detail: string, remedy: string): Finding => ({
  level: 'fault',
  what,
  detail,
  remedy,
})

/**
 * Runs a check and returns its findings; a fault when it throws or takes longer than `withinMs`. It never throws. A
 * function `remedy` receives the thrown error, or nothing after a timeout.
 */
export async function examine(
  what: string,
  withinMs: number,
  remedy: string | ((thrown?: unknown) => string),
  check: () => Promise<Finding | Finding[]>,
): Promise<Finding[]> {
  const remedyOf = typeof remedy === 'string' ? () => remedy : remedy
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Finding>((resolve) => {
    const text = `no response within ${withinMs / 1000} s`
    timer = setTimeout(() => resolve(fault(what, text, remedyOf())), withinMs)
  })
  try {
    const found = await Promise.race([check(), late])
    return [found].flat()
  } catch (error) {
    return [fault(what, messageOf(error), remedyOf(error))]
  } finally {
    clearTimeout(timer)
  }
}

/** Returns the message of an error, or of the first error of an aggregate. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0])
  return error instanceof Error ? error.message || error.name : String(error)
}
