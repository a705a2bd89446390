/**
 * Runs the conformance cases found in a directory against the real code:
 *
 *   node test/conformance/run.ts DIR [--only phones,paths] [--case ID]
 *
 * Prints each case that fails, then one line per file, and exits 1 when any failed. It reads nothing
 * but DIR. A case that cannot be expressed is a failure.
 */
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import * as addresses from './addresses.ts'
import * as hooks from './hooks.ts'
import * as languages from './languages.ts'
import * as paths from './paths.ts'
import * as payloads from './payloads.ts'
import * as phones from './phones.ts'
import { createReport, type ConformanceCase, type ConformanceKind } from './report.ts'
import * as signatures from './signatures.ts'
import * as urls from './urls.ts'

const KINDS: Record<string, ConformanceKind> = {
  addresses,
  hooks,
  languages,
  paths,
  payloads,
  phones,
  signatures,
  urls,
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, case: { type: 'string' } },
})
const directory = positionals[0]
if (directory === undefined) {
  console.error('usage: node test/conformance/run.ts DIR [--only kind,kind] [--case ID]')
  process.exit(2)
}

const only = options.only?.split(',')
const files = await readdir(directory, { recursive: true })
let failed = 0
for (const [name, kind] of Object.entries(KINDS)) {
  const file = findFile(name)
  if ((only && !only.includes(name)) || file === null) continue
  const report = createReport(file, console.log)
  const content: unknown = JSON.parse(await readFile(join(directory, file), 'utf8'))
  const cases = readCases(content)
  const chosen = options.case === undefined ? cases : cases.filter(({ id }) => id === options.case)
  let reason = 'the runner has no word for it'
  try {
    await kind.run(chosen, report, content, dirname(join(directory, file)))
  } catch (error) {
    reason = (error as Error).stack ?? String(error)
  }
  for (const { id } of chosen) if (!report.ids.has(id)) report.fail(id, reason)
  console.log(`${file}: ${report.passed} passed, ${report.failed} failed`)
  failed += report.failed
}
process.exitCode = failed > 0 ? 1 : 0

/** The payloads are a folder of files with an index, which may be the directory itself. */
function findFile(name: string): string | null {
  const places = name === 'payloads' ? ['payloads/index.json', 'index.json'] : [`${name}.json`]
  return places.find((place) => files.includes(place)) ?? null
}

/**
 * Most files hold `cases`; the signatures file holds what to sign and what to verify, the index of
 * the payloads names their files.
 */
function readCases(file: unknown): ConformanceCase[] {
  if (Array.isArray(file)) return file as ConformanceCase[]
  if (typeof file === 'object' && file !== null && 'payloads' in file) {
    return (file.payloads as { file: string }[]).map((payload) => ({
      id: payload.file,
      ...payload,
    }))
  }
  const { cases, sign, verify } = file as Record<string, ConformanceCase[] | undefined>
  return [...(cases ?? []), ...(sign ?? []), ...(verify ?? [])]
}
