import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const PROJECT = join(import.meta.dirname, '..', '..')
const CASES = join(PROJECT, '..', 'shared', 'conformance', 'cases')
const KINDS = 'addresses,languages,paths,phones,signatures,urls'

function run(...args: string[]): Promise<{ code: number; lines: string[] }> {
  return new Promise((resolve) => {
    const runner = join(PROJECT, 'test', 'conformance', 'run.ts')
    execFile(process.execPath, [runner, ...args], (error, stdout) => {
      resolve({ code: Number(error?.code ?? 0), lines: stdout.trim().split('\n') })
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

test(`the cases beside the project pass${isGiven ? '' : ' (there are none here)'}`, async () => {
  const { code, lines } = isGiven ? await run(CASES, '--only', KINDS) : { code: 0, lines: [] }
  expect(lines.filter((line) => !line.endsWith(' 0 failed'))).toEqual([])
  expect(lines).toHaveLength(isGiven ? KINDS.split(',').length : 0)
  expect(code).toBe(0)
})

const CHANNELS = join(PROJECT, '..', 'shared', 'channels')
const isRecorded = existsSync(join(CHANNELS, 'payloads', 'index.json'))

test(`a recorded payload is run${isRecorded ? '' : ' (there are none here)'}`, async () => {
  const asked = [CHANNELS, '--only', 'payloads', '--case', 'wa-text.json']
  const { code, lines } = isRecorded ? await run(...asked) : { code: 0, lines: [] }
  expect(lines).toEqual(isRecorded ? ['payloads/index.json: 1 passed, 0 failed'] : [])
  expect(code).toBe(0)
})
