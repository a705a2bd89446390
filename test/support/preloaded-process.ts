/**
 * A process that a test starts ahead of time. It has loaded its program, and begins when it gets a line of JSON
 * with the settings that were not known before. It ends with the test's process, however that ends.
 */
import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { createInterface } from 'node:readline'

export async function standBy(): Promise<void> {
  // A process that is killed does not write its compiled code down.
  flushCompileCache()
  process.stdin.once('end', () => process.exit(1))
  const [line] = (await once(createInterface({ input: process.stdin }), 'line')) as [string]
  Object.assign(process.env, JSON.parse(line))
}
