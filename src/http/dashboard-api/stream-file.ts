import type { Context as Hc } from 'hono'

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
