/**
 * Waits until nobody else does the same work, and takes the turn until this process ends. `file`: beside it each who
 * wants the turn puts one with their number. `work`: what is waited for, as "Another … runs" names it.
 * @throws when the folder cannot be written to, or the other does not end
 */
export function acquireProcessLock(file: string, work: string): void
