/** A whole service in a separate process, with its providers simulated in this one. */
import { spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type pg from 'pg'
import { startSimulators } from '../simulators/index.ts'
import { ACCESS_TOKEN, APP_SECRET, type Shop } from '../test/support/shop.ts'
import { approved } from '../test/support/simulator.ts'
import { NODE } from './flood-world.ts'

type Numbered = Pick<Shop, 'phoneNumberId' | 'businessAccountId'>

/**
 * Starts the service. The shops' numbers are the simulator's, with the approved template `order_ready`. In a split
 * service some processes take requests and others work; `origin` and `pid` are those of the first that takes requests.
 */
export async function startWholeService(
  env: Record<string, string>,
  shops: readonly Numbered[],
  {
    split = null,
    whatsApp = { stepMs: 200 },
  }: {
    split?: { http: number; daemon: number } | null
    whatsApp?: NonNullable<Parameters<typeof startSimulators>[1]>['whatsApp']
  } = {},
) {
  const clock = { now: () => new Date() }
  const play = { whatsApp }
  const { whatsApp: simulator, close } = await startSimulators({ clock }, play)
  const all: Record<string, string> = { ...env, SIMULATOR_URL: simulator.baseUrl }
  const startMany = (count: number, settings: Record<string, string>, args: string[]) =>
    Promise.all(Array.from({ length: count }, () => startProcess(settings, args)))
  const taking = await startMany(split?.http ?? 1, all, split ? ['--only=http'] : [])
  const working = await startMany(split?.daemon ?? 0, withSeparateFiles(all), ['--only=daemon'])
  const { origin, pid } = taking[0]!
  for (const { phoneNumberId, businessAccountId } of shops) {
    simulator.addNumber({
      phoneNumberId,
      businessAccountId,
      displayPhoneNumber: '15550783881',
      verifiedName: 'Shop',
      accessToken: ACCESS_TOKEN,
      appSecret: APP_SECRET,
      webhookUrl: `${origin}/webhooks/whatsapp`,
      templates: ['ar', 'en'].map((language) => approved('order_ready', language)),
    })
  }
  return {
    origin,
    pid,
    origins: taking.map((one) => one.origin),
    simulator,
    async stop() {
      await Promise.all([...taking, ...working].map((one) => one.stop()))
      await close()
    },
  }
}

/** Returns the environment of the second process, with separate files for its figures. */
function withSeparateFiles(env: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name,
      name.endsWith('_FILE') && name !== 'EXTRA_CA_FILE' ? `${value}.work` : value,
    ]),
  )
}

async function startProcess(env: Record<string, string>, args: readonly string[]) {
  const child = spawn(
    process.execPath,
    [path.join(import.meta.dirname, '../test/support/killable-process.ts'), ...args],
    { env: { PATH: process.env.PATH ?? '', ...NODE, ...env }, stdio: ['pipe', 'pipe', 'inherit'] },
  )
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.stdin.write('{}\n')
  const origin = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const ready = /^ready (\d+)$/.exec(line)?.[1]
      if (ready) resolve(`http://127.0.0.1:${ready}`)
    })
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)))
  })
  return {
    origin,
    pid: child.pid!,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Lifts the limits of requests a minute and templates a day of existing shops, which the benches do not measure. */
export async function liftLimits(pool: Pick<pg.Pool, 'query'>): Promise<void> {
  await pool.query(`
    update account set templates_per_day = 1000000;
    create or replace function forget() returns trigger language plpgsql
      as $$ begin new.requests := 0; return new; end $$;
    create or replace trigger forget before insert or update on hook_url_count
      for each row execute function forget();
    create or replace trigger forget before insert or update on company_hook_count
      for each row execute function forget()`)
}
