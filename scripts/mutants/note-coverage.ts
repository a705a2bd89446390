/** In a worker of the tests: notes which probes a test file came by, and writes them down at its end. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect } from 'vitest'

const reached = new Set<number>()
Object.assign(globalThis, { reachedProbe: (probe: number) => void reached.add(probe) })

afterAll(() => {
  const test = path.relative(process.cwd(), expect.getState().testPath ?? '')
  mkdirSync('.reach', { recursive: true })
  writeFileSync(
    path.join('.reach', `${test.replaceAll('/', '~')}.json`),
    JSON.stringify([...reached]),
  )
})
