/** Returns the browser's time. Other files of the dashboard do not read the clock. */
export function now(): Date {
  return new Date(Date.now())
}
