import type { Context as Hc } from 'hono'
import { streamFile } from './stream-file.ts'

/** Returns the headers that make a browser save a CSV file under a name. */
export const csvFile = (name: string) => ({
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': `attachment; filename="${name}"`,
})

/** Streams a CSV file part by part, as a download under this name. */
export function streamCsv(c: Hc, name: string, parts: AsyncGenerator<string>): Response {
  return streamFile(c, parts, csvFile(name))
}
