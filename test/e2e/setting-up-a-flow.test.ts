/** docs/guides/setting-up-a-flow.md, run as a newcomer would: every command, in its order. */
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

const GUIDE = new URL('../../docs/guides/setting-up-a-flow.md', import.meta.url)

/** The guide's commands as one script that also prints what the test looks at afterwards. */
function scriptOf(guide: string, values: Record<string, string>): string {
  const commands = [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].map((block) => block[1])
  const script = commands
    .join('\n')
    .replaceAll(
      /^([A-Z_]+)=(?:http|the-token).*$/gm,
      (_, name: string) => `${name}='${values[name]}'`,
    )
  return `${script}\necho; echo "RESULT $BASE/runs/$RUN $TOKEN"`
}

test('a newcomer sets up a second flow and its hook URL with curl, and sees its run end', async () => {
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
  const started = await start(config, () => {})
  try {
    const script = scriptOf(readFileSync(GUIDE, 'utf8'), {
      SERVICE: `http://127.0.0.1:${started.port}`,
      SETUP_TOKEN: started.setupToken!,
    })
    const { stdout } = await promisify(execFile)('bash', ['-eu', '-o', 'pipefail', '-c', script])
    expect(stdout).toContain('"isSimulated":true')
    expect(stdout).toContain('{"templates":4}')
    expect(stdout).toContain('{"ok":true,"value":"+966501234567"}')
    expect(stdout).toContain('{"canBePublished":true,"problems":[]}')
    expect(stdout).toContain('"status":"accepted"')
    expect(stdout).toContain('"answerStatus":"accepted"')

    const [, url, token] = /^RESULT (\S+) (\S+)$/m.exec(stdout)!
    const readRun = async () => {
      const answer = await fetch(url!, { headers: { authorization: `Bearer ${token}` } })
      return (await answer.json()) as RunDetail
    }
    await expect.poll(async () => (await readRun()).status, { timeout: 15_000 }).toBe('completed')
    const run = await readRun()
    expect(run.flow.name).toBe('Order is paid')
    expect(run.steps.map(({ stepId }) => stepId)).toEqual(['tell', 'ask', 'which', 'today'])
    expect(run.steps.at(-1)!.message!.text).toBe('See you, Sara!')
  } finally {
    await started.stop()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  }
}, 60_000)
