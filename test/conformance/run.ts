/** Runs the conformance cases in a directory against the real code. It reads only that directory. */
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { createReport, type ConformanceCase, type ConformanceKind } from './report.ts'

const USAGE = `usage: npm run conformance -- DIR [--only kind,kind] [--case ID]

Runs the cases of DIR/<kind>.json, and of DIR/payloads/index.json, against the real code. Prints each
case that fails, then one line per file, and exits with 1 when any failed.

  --only kind,kind   these files alone. Every case of a kind that the runner does not know is a
                     failure; so is a kind that is neither known nor in DIR.
  --case ID          this case alone. It must be in one of the files.

A case that cannot be expressed is a failure. Without --only, a file in DIR whose kind the runner
does not know is named as not run, at the end, and does not change the exit code.
`

/** Kinds are loaded when they are run, because most need no service. */
const KINDS: Record<string, () => Promise<ConformanceKind>> = {
  addresses: () => import('./addresses.ts'),
  agreement: () => import('./agreement.ts'),
  answers: () => import('./answers.ts'),
  'fold-text': () => import('./fold-text.ts'),
  hooks: () => import('./hooks.ts'),
  identity: () => import('./identity.ts'),
  keywords: () => import('./keywords.ts'),
  languages: () => import('./languages.ts'),
  'loop-protection': () => import('./loop-protection.ts'),
  'may-send': () => import('./may-send.ts'),
  'opt-out': () => import('./opt-out.ts'),
  paths: () => import('./paths.ts'),
  payloads: () => import('./payloads.ts'),
  'person-request': () => import('./person-request.ts'),
  phones: () => import('./phones.ts'),
  redaction: () => import('./redaction.ts'),
  'reply-guard': () => import('./reply-guard.ts'),
  retrieval: () => import('./retrieval.ts'),
  routing: () => import('./routing.ts'),
  'search-terms': () => import('./search-terms.ts'),
  signatures: () => import('./signatures.ts'),
  slots: () => import('./slots.ts'),
  'split-text': () => import('./split-text.ts'),
  urls: () => import('./urls.ts'),
}

/** Files that describe scenarios in prose, which tests implement. */
const SCENARIOS = ['abuse', 'calls', 'deliveries', 'events']

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, case: { type: 'string' }, help: { type: 'boolean' } },
})
const directory = positionals[0] ?? ''
if (options.help || directory === '') {
  console.error(USAGE)
  process.exit(options.help ? 0 : 2)
}

const files = await readdir(directory, { recursive: true })
const only = options.only?.split(',').map((name) => name.trim())
let chosen = 0
let failed = 0
for (const name of new Set(only ?? Object.keys(KINDS))) await runKind(name)
if (chosen === 0) {
  const what = options.case === undefined ? 'nothing to run' : `no case ${options.case}`
  console.log(`FAIL: there is ${what} in ${directory}`)
}
if (!only) tellOfOthers()
process.exitCode = failed > 0 || chosen === 0 ? 1 : 0

async function runKind(name: string): Promise<void> {
  const load = KINDS[name]
  const file = findFile(name)
  if (file === null) {
    if (load) return
    console.log(`FAIL ${name}: the runner does not know this kind, and it is not in ${directory}`)
    failed += 1
    return
  }
  const report = createReport(file, console.log)
  const content: unknown = JSON.parse(await readFile(join(directory, file), 'utf8'))
  const cases = readCases(content)
  const asked = options.case === undefined ? cases : cases.filter(({ id }) => id === options.case)
  let reason = load
    ? 'the runner has no word for it'
    : `the runner does not know the kind "${name}", so it was not run`
  try {
    await (await load?.())?.run(asked, report, content, dirname(join(directory, file)))
  } catch (error) {
    reason = (error as Error).stack ?? String(error)
  }
  for (const { id } of asked) if (!report.ids.has(id)) report.fail(id, reason)
  console.log(`${file}: ${report.passed} passed, ${report.failed} failed`)
  failed += report.failed
  chosen += asked.length
}

/** Prints the files of the directory that were not run. */
function tellOfOthers(): void {
  const names = files.flatMap((file) => /^([\w-]+)\.json$/.exec(file)?.[1] ?? [])
  for (const name of names.toSorted()) {
    if (name in KINDS || name === 'index') continue
    const why = SCENARIOS.includes(name)
      ? 'scenarios in words'
      : 'the runner does not know this kind'
    console.log(`NOT RUN ${name}.json: ${why}`)
  }
}

/**
 * Returns the path of a file of cases. The payloads are a folder of files with an index, which may be the directory
 * itself.
 */
function findFile(name: string): string | null {
  const places = name === 'payloads' ? ['payloads/index.json', 'index.json'] : [`${name}.json`]
  return places.find((place) => files.includes(place)) ?? null
}

/**
 * Reads the cases of a file. Most files have `cases`; the signatures file has texts to sign and to verify, and the
 * index of the payloads names their files. Any other file is one case.
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
  const found = [...(cases ?? []), ...(sign ?? []), ...(verify ?? [])]
  return cases || sign || verify ? found : [{ id: 'the whole file' }]
}
