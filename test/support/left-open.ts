type Close = () => Promise<void>

/** The list is kept on the process, since the next file closes what this one leaves open. */
const inProcess = globalThis as { waslaLeftOpen?: Set<Close> }
inProcess.waslaLeftOpen ??= new Set()

/** Returns what closes each world of this process that is still open, the last one first. */
export const leftOpen = (): Close[] => [...inProcess.waslaLeftOpen!].toReversed()

/** Returns a function that closes by `close`, once, and is listed by `leftOpen` until it is called. */
export function closedOnce(close: Close): Close {
  const once: Close = async () => {
    if (inProcess.waslaLeftOpen!.delete(once)) await close()
  }
  inProcess.waslaLeftOpen!.add(once)
  return once
}
