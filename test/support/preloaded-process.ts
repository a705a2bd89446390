/**
 * For a process that a test starts ahead of time: it has loaded its program, and begins when it is
 * told to, by a line of JSON with the settings that were not known before. It ends with the test's
 * process, however that ends.
 */
import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { createInterface } from 'node:readline'

export async function standBy(): Promise<void> {
  // Who is killed writes down nothing of what it compiled.
  flushCompileCache()
  process.stdin.once('end', () => process.exit(1))
  const [line] = (await once(createInterface({ input: process.stdin }), 'line')) as [string]
  Object.assign(process.env, JSON.parse(line))
}
