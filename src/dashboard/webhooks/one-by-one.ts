/**
 * Does it with each, one after the other, and tells of each that it is done: where one is refused, those before it
 * are not done again with the rest. @throws what the act throws
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
