/** Setup file of a test worker: records the probes that a test file reaches, and writes them at its end. */
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
