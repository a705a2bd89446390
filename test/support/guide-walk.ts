import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { readConfig } from '../../src/app/config.ts'
import type { RunDetail } from '../../src/contract/dashboard/run.ts'
import { start } from '../../src/start.ts'
import { createTestDatabase } from './database.ts'
import { connectionUrl } from './test-service.ts'

const PROJECT = path.join(import.meta.dirname, '../..')
const MARK = '=== '

export type Guide =
  | 'README'
  | 'setting-up-a-flow'
  | 'starting-a-flow'
  | 'flows'
  | 'calling-your-api'
  | 'receiving-webhooks'
  | 'contacts'
  | 'inbox'
  | 'leads'
  | 'broadcasts'
  | 'bookings'

/** The commands of a guide as they stand in it: its blocks for a shell, but for whole programs. */
export function commandsOf(guide: Guide): string[] {
  const file = guide === 'README' ? 'README.md' : `docs/guides/${guide}.md`
  const text = readFileSync(path.join(PROJECT, file), 'utf8')
  return [...text.matchAll(/^( *)```sh\n(.*?)^ *```$/gms)]
    .map(([, indent, block]) => block!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''))
    .filter((block) => !block.startsWith('#!'))
}

/**
 * A demonstration on ports of its own, and a reader who pastes guides into one shell in a clone. Of
 * what they paste only the ports differ, and the set-up token that every reader must put in.
 */
export async function createGuideWalk() {
  const folder = mkdtempSync(path.join(tmpdir(), 'wasla-guides-'))
  for (const name of ['examples', 'docs']) {
    symlinkSync(path.join(PROJECT, name), path.join(folder, name))
  }
  const database = await createTestDatabase()
  const settings = {
    DATABASE_URL: connectionUrl(database.connection),
    PORT: '0',
    SIMULATOR_PORT: '0',
    RECEIVER_PORT: '0',
    LOG_LEVEL: 'silent',
  }
  const config = readConfig(settings, [], folder)
  const received: string[] = []
  const asked: string[] = []
  const started = await start(
    config,
    (line) => received.push(line),
    (line) => asked.push(line),
  )
  const { receiver, merchantApi, simulators } = started.demonstration!
  const forHere = (text: string) =>
    text
      .replaceAll('127.0.0.1:4080', `127.0.0.1:${started.port}`)
      .replaceAll('http://127.0.0.1:4081', simulators.url)
      .replaceAll('127.0.0.1:4082', `127.0.0.1:${receiver.port}`)
      .replaceAll('127.0.0.1:4083', `127.0.0.1:${merchantApi.port}`)
      .replaceAll('the-token-that-the-start-printed', started.setupToken!)

  return {
    folder,
    config,
    started,
    simulator: simulators.whatsApp,
    /** What the receiver and the shop's API printed. */
    received,
    asked,
    /** Pastes the guides one after the other; what each printed, and the shell's variables after it. */
    async paste(guides: { guide: string; commands: string[] }[], names: readonly string[]) {
      const script = guides.flatMap(({ guide, commands }) => [
        ...commands,
        `echo; echo '${MARK}${guide}'`,
        ...names.map((name) => `echo "${MARK}${name} \${${name}:-}"`),
        `echo '${MARK}end'`,
      ])
      const { stdout, stderr } = await promisify(execFile)(
        'bash',
        ['--norc', '-eu', '-o', 'pipefail', '-c', forHere(script.join('\n'))],
        { cwd: folder, env: { PATH: process.env.PATH, HOME: folder } },
      )
      const told = stdout.split(`${MARK}end\n`).slice(0, -1)
      return {
        stderr,
        parts: told.map((part) => {
          const [printed = '', , ...lines] = part.split(MARK)
          const variables = lines.map((line) => line.trimEnd().split(' '))
          return {
            printed,
            shell: Object.fromEntries(
              variables.map(([name, ...value]) => [name!, value.join(' ')]),
            ),
          }
        }),
      }
    },
    async readRun({ BASE, TOKEN }: Record<string, string>, run: string): Promise<RunDetail> {
      const answer = await fetch(`${BASE}/runs/${run}`, {
        headers: { authorization: `Bearer ${TOKEN}` },
      })
      return (await answer.json()) as RunDetail
    },
    async close() {
      await started.stop()
      await database.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
export type GuideWalk = Awaited<ReturnType<typeof createGuideWalk>>
