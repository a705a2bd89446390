/** Stop signals of a long-running program: from `kill`, Ctrl-C, or a closed terminal. */

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
/**
 * Time within which two signals count as one. Under npm a single Ctrl-C arrives twice, a millisecond apart: from the
 * terminal, and forwarded by npm.
 */
const SAME_SIGNAL_MS = 1_000

/**
 * Registers `stop` for stop signals. The first signal calls it and then ends the process: with `process.exitCode`, or
 * with 1 after an error. A second signal, more than a second later, ends the process immediately.
 */
export function stopOnSignals(stop: () => Promise<void>): void {
  let receivedAt: number | null = null
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (receivedAt !== null) {
        if (performance.now() - receivedAt >= SAME_SIGNAL_MS) process.exit(1)
        return
      }
      receivedAt = performance.now()
      stop().then(
        () => process.exit(),
        (error: unknown) => {
          console.error(error instanceof Error ? error.message : error)
          process.exit(1)
        },
      )
    })
  }
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedTerminal)
}

/** Ignores output to a closed terminal, which is lost anyway. */
function ignoreClosedTerminal(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EIO') throw error
}
