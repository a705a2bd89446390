import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const PROJECT = join(import.meta.dirname, '..', '..')
const CASES = join(PROJECT, '..', 'shared', 'conformance', 'cases')
const KINDS = 'addresses,hooks,languages,paths,phones,signatures,urls'
/** For all cases that are beside the project, on a machine that others keep busy. */
const WITHIN_MS = 110_000

function run(...args: string[]): Promise<{ code: number; lines: string[] }> {
  return new Promise((resolve) => {
    const runner = join(PROJECT, 'test', 'conformance', 'run.ts')
    execFile(process.execPath, [runner, ...args], { timeout: WITHIN_MS }, (error, stdout) => {
      // Whoever was ended for taking too long has no code.
      resolve({ code: Number(error ? error.code : 0), lines: stdout.trim().split('\n') })
    })
  })
}

async function inFolder(files: Record<string, unknown>, ...args: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'wasla-conformance-'))
  try {
    for (const [name, content] of Object.entries(files)) {
      await writeFile(join(folder, name), JSON.stringify(content))
    }
    return await run(folder, ...args)
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe('the conformance runner', () => {
  const passing = [{ id: 'L1', input: 'ar-SA', expect: 'ar' }]
  const languages = {
    cases: [
      { id: 'L1', input: 'ar-SA', expect: 'ar' },
      { id: 'L2', input: 'fr', expect: 'en' },
      { id: 'L3', input: 'fr', expect: 'en', also_accept: ['fallback'] },
    ],
  }

  test('prints each case that fails, one line per file, and exits 1', async () => {
    expect(await inFolder({ 'languages.json': languages })).toEqual({
      code: 1,
      lines: [
        'FAIL languages.json L2: expected ["en"] got ["fallback"]',
        'languages.json: 2 passed, 1 failed',
      ],
    })
  })

  test('runs the files and the case that are asked for', async () => {
    const files = { 'languages.json': languages, 'phones.json': { cases: [{ id: 'broken' }] } }
    const { code, lines } = await inFolder(files, '--only', 'languages,urls', '--case', 'L1')
    expect({ code, lines }).toEqual({ code: 0, lines: ['languages.json: 1 passed, 0 failed'] })
  })

  test('has failed every case of a kind that it is asked for and does not know', async () => {
    const files = { 'poems.json': { cases: [{ id: 'P1' }, { id: 'P2' }] } }
    const why = 'the runner does not know the kind "poems", so it was not run'
    expect(await inFolder(files, '--only', 'poems')).toEqual({
      code: 1,
      lines: [
        `FAIL poems.json P1: ${why}`,
        `FAIL poems.json P2: ${why}`,
        'poems.json: 0 passed, 2 failed',
      ],
    })
  })

  test.each([
    ['a kind that is neither known nor there', ['--only', 'languages,poems'], /^FAIL poems: /],
    ['files of which none is there', ['--only', 'phones'], /^FAIL: there is nothing to run/],
    ['a case that is in none of them', ['--case', 'L9'], /^FAIL: there is no case L9/],
  ])('has failed when it is asked for %s', async (_, asked, line) => {
    const { code, lines } = await inFolder({ 'languages.json': { cases: passing } }, ...asked)
    expect(lines).toContainEqual(expect.stringMatching(line))
    expect(code).toBe(1)
  })

  test('names the files of kinds that it does not know, when it is asked for all', async () => {
    const cases = [{ id: '1' }]
    const files = { 'languages.json': { cases: passing }, 'poems.json': { cases } }
    expect(await inFolder({ ...files, 'events.json': { cases } })).toEqual({
      code: 0,
      lines: [
        'languages.json: 1 passed, 0 failed',
        'NOT RUN events.json: scenarios in words',
        'NOT RUN poems.json: the runner does not know this kind',
      ],
    })
  })

  test('counts a case that it cannot express as a failure, and goes on', async () => {
    const header = 't=1,v1=3f5b3f0f7ab52f5cfa7eb5d80d8e2ad9a0bb4a0f4c2c4b0a8a1e6f8e5b0a8c11'
    const strange = { id: 'S1', secrets: ['x'], t: 1, header, body_generator: 'a poem' }
    const usual = { id: 'V1', now: 1, header, body_hex: '', secrets: ['x'], valid: false }
    const files = { 'signatures.json': { sign: [strange], verify: [usual] } }
    const { code, lines } = await inFolder(files)
    expect(code).toBe(1)
    expect(lines.at(-1)).toBe('signatures.json: 1 passed, 1 failed')
  })
})

const isGiven = existsSync(CASES)

test(
  `the cases beside the project pass${isGiven ? '' : ' (there are none here)'}`,
  async () => {
    const { code, lines } = isGiven ? await run(CASES, '--only', KINDS) : { code: 0, lines: [] }
    expect(lines.filter((line) => !line.endsWith(' 0 failed'))).toEqual([])
    expect(lines).toHaveLength(isGiven ? KINDS.split(',').length : 0)
    expect(code).toBe(0)
  },
  WITHIN_MS,
)

const CHANNELS = join(PROJECT, '..', 'shared', 'channels')
const isRecorded = existsSync(join(CHANNELS, 'payloads', 'index.json'))

test(`a recorded payload is run${isRecorded ? '' : ' (there are none here)'}`, async () => {
  const asked = [CHANNELS, '--only', 'payloads', '--case', 'wa-text.json']
  const { code, lines } = isRecorded ? await run(...asked) : { code: 0, lines: [] }
  expect(lines).toEqual(isRecorded ? ['payloads/index.json: 1 passed, 0 failed'] : [])
  expect(code).toBe(0)
})
