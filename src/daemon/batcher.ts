/**
 * Gathers items for a few milliseconds and writes them together: one round trip for all that end at
 * about the same time. Each caller waits for the write that holds its item, and sees its error.
 */
export function createBatcher<Item>(options: {
  most: number
  withinMs: number
  write(items: Item[]): Promise<void>
}): (item: Item) => Promise<void> {
  let gathered: { item: Item; resolve(): void; reject(error: unknown): void }[] = []
  let timer: NodeJS.Timeout | null = null

  function flush() {
    if (timer) clearTimeout(timer)
    timer = null
    const batch = gathered
    gathered = []
    options.write(batch.map((entry) => entry.item)).then(
      () => batch.forEach((entry) => entry.resolve()),
      (error: unknown) => batch.forEach((entry) => entry.reject(error)),
    )
  }

  return (item) =>
    new Promise((resolve, reject) => {
      gathered.push({ item, resolve, reject })
      if (gathered.length >= options.most) flush()
      else timer ??= setTimeout(flush, options.withinMs)
    })
}
