/** How a program that works until it is told to end hears of it: from `kill`, Ctrl-C, or a terminal that is closed. */

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
/** Under npm one Ctrl-C comes twice, a millisecond apart: from the terminal, and handed on by npm. */
const SAME_WISH_MS = 1_000

/**
 * Stops in order at the first signal, and ends the process then: by `process.exitCode`, or with 1 where that fails.
 * Who asks again later than a second after it does not wait.
 */
export function stopOnSignals(stop: () => Promise<void>): void {
  let heardAt: number | null = null
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (heardAt !== null) {
        if (performance.now() - heardAt >= SAME_WISH_MS) process.exit(1)
        return
      }
      heardAt = performance.now()
      stop().then(
        () => process.exit(),
        (error: unknown) => {
          console.error(error instanceof Error ? error.message : error)
          process.exit(1)
        },
      )
    })
  }
  for (const stream of [process.stdout, process.stderr]) stream.on('error', passOverClosedTerminal)
}

/** What is told to a terminal that was closed is lost, and nothing else with it. */
function passOverClosedTerminal(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EIO') throw error
}
