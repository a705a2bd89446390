export type Level = 'ok' | 'warning' | 'fault'

/** One line of the doctor. */
export type Finding = {
  level: Level
  what: string
  detail: string
  /** What the operator does about it; with every warning and fault. */
  remedy?: string
}

export const ok = (what: string, detail: string): Finding => ({ level: 'ok', what, detail })
export const warning = (what: string, detail: string, remedy: string): Finding => ({
  level: 'warning',
  what,
  detail,
  remedy,
})
export const fault = (what: string, detail: string, remedy: string): Finding => ({
  level: 'fault',
  what,
  detail,
  remedy,
})

/**
 * What a check finds; a fault when it throws, or has not ended in time. Never throws. `remedy` may depend on what was
 * thrown; nothing is thrown by one that is late.
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
    return [fault(what, saying(error), remedyOf(error))]
  } finally {
    clearTimeout(timer)
  }
}

/** The message of an error; of one that is many in one, of the first. */
export function saying(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return saying(error.errors[0])
  return error instanceof Error ? error.message || error.name : String(error)
}
