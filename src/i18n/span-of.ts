/** Returns minutes in the largest unit without a remainder: 120 minutes are 2 hours. */
export function spanOf(minutes: number): { unit: 'day' | 'hour' | 'minute'; n: number } {
  if (minutes % 1_440 === 0) return { unit: 'day', n: minutes / 1_440 }
  if (minutes % 60 === 0) return { unit: 'hour', n: minutes / 60 }
  return { unit: 'minute', n: minutes }
}
