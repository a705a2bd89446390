import type { Context as Hc } from 'hono'

/** Returns the headers that make a browser save a CSV file under a name. */
const csvFile = (name: string) => ({
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': `attachment; filename="${name}"`,
})

/** Streams a CSV file that the browser saves under a name. */
export function streamCsv(c: Hc, name: string, parts: AsyncGenerator<string>): Response {
  return streamFile(c, parts, csvFile(name))
}

/**
 * Streams a file part by part: each is read when the one before has been sent, so the file is never whole in memory.
 */
export function streamFile(
  c: Hc,
  parts: AsyncGenerator<string>,
  headers: Record<string, string>,
): Response {
  const encoder = new TextEncoder()
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { done, value } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await parts.return(undefined)
    },
  })
  return c.body(stream, 200, headers)
}
