type Waiting = (isEntered: boolean) => void

let waiting: Waiting | null = null
const listeners = new Set<() => void>()

function wait(next: Waiting | null): void {
  waiting = next
  for (const notify of listeners) notify()
}

/** Asks for the password, where the API requires it again. Returns false if the member cancelled. */
export function askForPassword(): Promise<boolean> {
  waiting?.(false)
  return new Promise((resolve) => wait(resolve))
}

/** Passes the outcome of the dialog to the act that asked for the password. */
export function answerPassword(isEntered: boolean): void {
  const answer = waiting
  wait(null)
  answer?.(isEntered)
}

/** Returns whether the dialog that asks for the password has to be open. */
export function isPasswordAsked(): boolean {
  return waiting !== null
}

/** Calls `listener` whenever `isPasswordAsked` changes; returns a function that stops this. */
export function watchPassword(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
