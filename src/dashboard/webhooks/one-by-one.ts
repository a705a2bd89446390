/**
 * Calls `act` with each id, one after the other, and `onDone` after each success. If one fails, the caller knows which
 * ids need no repetition. @throws what the act throws
 */
export async function oneByOne(
  ids: readonly string[],
  act: (id: string) => Promise<unknown>,
  onDone: (id: string) => void,
): Promise<void> {
  for (const id of ids) {
    await act(id)
    onDone(id)
  }
}
