/** Returns a list of what was heard, and a way to wait for a line. */
export function hearing() {
  const heard: string[] = []
  const waiting: { line: string; resolve: () => void }[] = []
  return {
    heard,
    hear(line: string) {
      heard.push(line)
      for (const waiter of waiting) if (waiter.line === line) waiter.resolve()
    },
    async until(line: string): Promise<void> {
      if (heard.includes(line)) return
      await new Promise<void>((resolve) => waiting.push({ line, resolve }))
    },
  }
}
