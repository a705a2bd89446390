type Close = () => Promise<void>

/** On the process, since it is for the next file to close what this one leaves. */
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
