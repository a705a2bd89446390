import type { Context as Hc } from 'hono'

/** The headers by which a browser saves a CSV file under a name. */
export const csvFile = (name: string) => ({
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': `attachment; filename="${name}"`,
})

/** Each part is read when the one before has gone out. */
export function streamCsv(c: Hc, name: string, parts: AsyncGenerator<string>): Response {
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
  return c.body(stream, 200, csvFile(name))
}
