/**
 * Gathers items for a few milliseconds and writes them together: one round trip for all that end at
 * about the same time. While as many writes as allowed are under way it goes on gathering, so that
 * writes which wait for the same rows become one. Each caller waits for the write that holds its item,
 * and sees its error.
 */
export function createBatcher<Item>(options: {
  most: number
  withinMs: number
  atOnce: number
  write(items: Item[]): Promise<void>
}): (item: Item) => Promise<void> {
  const gathered: { item: Item; resolve(): void; reject(error: unknown): void }[] = []
  let timer: NodeJS.Timeout | null = null
  let underWay = 0
  let isDue = false

  function flush() {
    if (timer) clearTimeout(timer)
    timer = null
    while (gathered.length > 0 && underWay < options.atOnce) take()
    isDue = gathered.length > 0
  }

  function take() {
    underWay += 1
    const batch = gathered.splice(0, options.most)
    const end = (tell: (entry: (typeof batch)[number]) => void) => {
      batch.forEach(tell)
      underWay -= 1
      if (isDue) flush()
    }
    options.write(batch.map((entry) => entry.item)).then(
      () => end((entry) => entry.resolve()),
      (error: unknown) => end((entry) => entry.reject(error)),
    )
  }

  return (item) =>
    new Promise((resolve, reject) => {
      gathered.push({ item, resolve, reject })
      if (isDue) return
      if (gathered.length >= options.most) flush()
      else timer ??= setTimeout(flush, options.withinMs)
    })
}
