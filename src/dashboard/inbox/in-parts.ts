/**
 * Calls `act` with at most `size` ids at a time, one part after the other, and returns the sum of what it returns.
 * @throws what the act throws
 */
export async function inParts(
  ids: readonly string[],
  size: number,
  act: (part: string[]) => Promise<number>,
): Promise<number> {
  let sum = 0
  for (let at = 0; at < ids.length; at += size) sum += await act(ids.slice(at, at + size))
  return sum
}
