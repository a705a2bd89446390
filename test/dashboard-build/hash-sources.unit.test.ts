import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hashSources } from '../../src/dashboard-build/hash-sources.ts'

const PROJECT = path.join(import.meta.dirname, '../..')
const DASHBOARD = path.join(PROJECT, 'src/dashboard')
const IMPORT = /(?:from |import\()'(\.{1,2}\/[^']+)'/g

/** Returns the files outside of the dashboard's folder that a build of it contains. */
function readShared(): string[] {
  const sources = globSync('**/*.{ts,tsx}', {
    cwd: DASHBOARD,
    exclude: ['node_modules', 'test'],
  })
  const known = new Set(sources.map((file) => path.join(DASHBOARD, file)))
  for (const file of known) {
    for (const [, target] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      const imported = path.join(path.dirname(file), target!)
      if (existsSync(imported)) known.add(imported)
    }
  }
  return [...known].filter((file) => !file.startsWith(`${DASHBOARD}/`))
}

test('the hash changes with every file outside of its folder that a build of the dashboard contains', async () => {
  const project = await mkdtemp(path.join(tmpdir(), 'wasla-hash-'))
  onTestFinished(() => rm(project, { recursive: true }))
  const write = async (file: string, text: string) => {
    await mkdir(path.dirname(path.join(project, file)), { recursive: true })
    await writeFile(path.join(project, file), text)
  }
  await write('src/dashboard/main.tsx', '')
  const shared = readShared().map((file) => path.relative(PROJECT, file))
  const one = new Map(shared.map((file) => [path.dirname(file), file]))
  const unnoticed: string[] = []
  let hash = await hashSources(project)
  for (const file of one.values()) {
    await write(file, 'changed')
    const next = await hashSources(project)
    if (next === hash) unnoticed.push(file)
    hash = next
  }
  expect(one.size).toBeGreaterThan(10)
  expect(unnoticed).toEqual([])
})
