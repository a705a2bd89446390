/** Stop signals of a long-running program: from `kill`, Ctrl-C, or a closed terminal. */

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
/** One Ctrl-C under npm arrives twice, a millisecond apart: from the terminal, and forwarded by npm. */
const SAME_WISH_MS = 1_000

/**
 * Stops in order at the first signal, and then ends the process: by `process.exitCode`, or with 1 after an error. A
 * second signal, more than a second later, ends it immediately.
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

/** Ignores output to a closed terminal, which is lost anyway. */
function passOverClosedTerminal(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EIO') throw error
}
