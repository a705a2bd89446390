/** docs/guides/calling-your-api.md, run as a newcomer would: every command, in its order. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import type { RunDetail } from '../../src/contract/dashboard/run.ts'
import { start } from '../../src/start.ts'
import { createTestDatabase } from '../support/database.ts'
import { connectionUrl } from '../support/service.ts'

const GUIDE = new URL('../../docs/guides/calling-your-api.md', import.meta.url)

/** The guide's commands as one script that also prints what the test looks at afterwards. */
function scriptOf(guide: string, values: Record<string, string>): string {
  const commands = [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].map((block) => block[1])
  const script = commands
    .join('\n')
    .replaceAll(/^([A-Z_]+)=(?:http|the-token|\$\(cat ).*$/gm, (_, name: string) => {
      return `${name}='${values[name]}'`
    })
  return `${script}\necho; echo "RESULT $BASE/runs/$RUN $TOKEN"`
}

test('a newcomer connects an API, tests it, and publishes a flow that calls it', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'wasla-guide-'))
  const database = await createTestDatabase()
  const config = readConfig(
    {
      DATABASE_URL: connectionUrl(database.connection),
      DATA_FOLDER: folder,
      PORT: '0',
      SIMULATOR_PORT: '0',
      RECEIVER_PORT: '0',
      LOG_LEVEL: 'silent',
    },
    [],
    folder,
  )
  const asked: string[] = []
  const started = await start(
    config,
    () => {},
    (line) => asked.push(line),
  )
  const { merchantApi } = started.demonstration!
  const keyFile = path.join(folder, 'demonstration/merchant-api-key')
  try {
    const apiKey = readFileSync(keyFile, 'utf8').trim()
    const script = scriptOf(readFileSync(GUIDE, 'utf8'), {
      SERVICE: `http://127.0.0.1:${started.port}`,
      SETUP_TOKEN: started.setupToken!,
      API: `https://127.0.0.1:${merchantApi.port}/api`,
      API_KEY: apiKey,
    })
    const { stdout } = await promisify(execFile)('bash', ['-eu', '-o', 'pipefail', '-c', script])
    expect(stdout).toContain(`"url":"https://127.0.0.1:${merchantApi.port}/api/orders/1044"`)
    expect(stdout).toContain('"kept":{"status":"being packed"}')
    expect(stdout).toContain('"failure":"path_value_refused"')
    expect(stdout).toContain('"warnings":[]')
    expect(stdout).not.toContain(apiKey)

    const [, url, token] = /^RESULT (\S+) (\S+)$/m.exec(stdout)!
    const readRun = async () => {
      const answer = await fetch(url!, { headers: { authorization: `Bearer ${token}` } })
      return (await answer.json()) as RunDetail
    }
    await expect.poll(async () => (await readRun()).status, { timeout: 15_000 }).toBe('completed')
    const run = await readRun()
    expect(run.steps).toMatchObject([
      { stepId: 'look', call: { path: '/api/orders/1044', httpStatus: 200, kept: ['status'] } },
      { stepId: 'tell', message: { text: expect.stringContaining('1044 is being packed') } },
      { stepId: 'note', call: { path: '/api/orders/1044/notes', httpStatus: 201 } },
    ])
    const get = 'GET /api/orders/1044  200'
    await expect.poll(() => asked).toEqual([get, get, get, 'POST /api/orders/1044/notes  201'])
  } finally {
    await started.stop()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  }
}, 60_000)
