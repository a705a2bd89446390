/**
 * Measures an unsigned flood on the provider's webhook: bodies of 4 MB over 16 connections, 400 unfinished bodies,
 * 1,000 channels of one account, and a new address per request. Hook requests over 8 connections and two signed
 * webhooks a second run concurrently. Results are the event loop's largest delay, memory, the share of a processor,
 * and accepted hooks a second: alone, during a flood of a minimal server in another process, and during the flood.
 *
 *   npm run bench:flood [-- SECONDS [small]]
 *
 * `small`: 400 connections with complete bodies of 300 bytes instead.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readConfig } from '../src/app/config.ts'
import { startEmbeddedPostgres } from '../src/infra/database/embedded/start-embedded-postgres.ts'
import { createService } from '../src/app/create-service.ts'
import { startTestReceiver } from '../test/support/receiver.ts'
import { createShop, type Shop } from '../test/support/shop.ts'
import {
  askHooks,
  connectChannels,
  FLOODED_ACCOUNT,
  NODE,
  run,
  sendSigned,
  type Flooded,
  type Measured,
} from './flood-world.ts'

const SECONDS = Number(process.argv[2] ?? 60)
const isSmall = process.argv[3] === 'small'
const FLOODS = {
  large: { BYTES: String(4 * 1_048_576), CONNECTIONS: '16', UNFINISHED: '400' },
  small: { BYTES: '300', CONNECTIONS: '400', UNFINISHED: '0' },
}
const COMPANIES = 60
const CONNECTIONS = 8

const folder = mkdtempSync(path.join(tmpdir(), 'wasla-bench-'))
const postgres = await startEmbeddedPostgres({ dataFolder: folder })
const { host, user, database } = postgres.connection
const env = {
  DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
  DATA_FOLDER: folder,
  DEMONSTRATION: 'off',
  TRUSTED_PROXIES: '127.0.0.0/8',
  LOG_LEVEL: 'error',
  PORT: '0',
  ...NODE,
}

async function makeShops(): Promise<{ tokens: string[]; shop: Shop }> {
  const service = await createService(readConfig(env, [], folder))
  const receiver = await startTestReceiver()
  const shops: Shop[] = []
  for (let company = 0; company < COMPANIES; company += 1) {
    const names = { phoneNumberId: `${company}`, businessAccountId: `account-${company}` }
    const shop = await createShop({ service, receiver, url: '' }, names)
    if (company === 0) await connectChannels(service, shop.companyId, 1_000)
    shops.push(shop)
  }
  // The measurement is about accepted requests, not about their limits.
  await service.context.db.pool.query(`
    update account set templates_per_day = 1000000;
    create function count_nothing() returns trigger language plpgsql as $$
      begin new.requests = 1; return new; end $$;
    create trigger count_nothing before update on hook_url_count
      for each row execute function count_nothing();
    create trigger count_nothing before update on company_hook_count
      for each row execute function count_nothing();`)
  await receiver.close()
  await service.stop()
  return { tokens: shops.map(({ hookToken }) => hookToken), shop: shops.at(-1)! }
}

const percent = (share: number) => `${(100 * share).toFixed(0)} %`
const show = ({ worstMs, busiestMs, share, processShare, peakMb }: Measured) =>
  `event loop late by ${worstMs.toFixed(0)} ms at worst, ${busiestMs.toFixed(0)} ms of it its own work; thread ${percent(share)} of a processor, process ${percent(processShare)}; ${peakMb.toFixed(0)} MB`

function startFlood(origin: string, seconds: number) {
  const load = run('flood-load-process.ts', {
    ORIGIN: origin,
    ACCOUNT: FLOODED_ACCOUNT,
    SECONDS: String(seconds),
    ...FLOODS[isSmall ? 'small' : 'large'],
  })
  return async () => JSON.parse(await load.line()) as Flooded
}
const originOf = (line: string) => `http://127.0.0.1:${line.split(' ')[1]}`

try {
  const { tokens, shop } = await makeShops()
  const service = run('flood-service-process.ts', env)
  const origin = originOf(await service.line())
  const measured = async () => JSON.parse(await service.ask()) as Measured
  let prefix = 10
  const ask = (seconds: number) =>
    askHooks(origin, tokens, { seconds, connections: CONNECTIONS, prefix: (prefix += 1) })
  const third = Math.max(SECONDS / 3, 2)
  await ask(5)
  await measured()
  const alone = await ask(third)
  const quiet = await measured()

  const sink = run('flood-sink-process.ts', {})
  const sunk = startFlood(originOf(await sink.line()), third)
  const elsewhere = await ask(third)
  const other = await measured()
  const otherFlood = await sunk()
  await sink.stop()

  const flood = startFlood(origin, SECONDS)
  const [during, signed] = await Promise.all([
    ask(SECONDS),
    sendSigned(origin, shop, { seconds: SECONDS }),
  ])
  const flooded = await measured()
  const itsFlood = await flood()
  await service.stop()
  const aHookMs = (1_000 * quiet.processShare) / alone.rate
  const onFlood = flooded.processShare - (during.rate * aHookMs) / 1_000
  console.log(`hooks alone        ${alone.rate.toFixed(0)}/s  ${show(quiet)}`)
  console.log(`another is flooded ${elsewhere.rate.toFixed(0)}/s  ${show(other)}`)
  console.log(`during a flood     ${during.rate.toFixed(0)}/s  ${show(flooded)}`)
  console.log(
    `  of alone ${(during.rate / alone.rate).toFixed(2)}, of another's flood ${(during.rate / elsewhere.rate).toFixed(2)}`,
  )
  console.log(
    `  a hook alone takes ${aHookMs.toFixed(2)} ms of a processor; on the flood goes ${percent(onFlood)}`,
  )
  console.log(`  hooks' answers     ${JSON.stringify(during.statuses)}`)
  for (const [name, { statuses, share }] of Object.entries({
    "the other's flood": otherFlood,
    'the flood': itsFlood,
  })) {
    const rate = Object.values(statuses).reduce((sum, count) => sum + count, 0)
    console.log(
      `  ${name}: ${percent(share)} of a processor, answered ${JSON.stringify(statuses)} (${rate} in all)`,
    )
  }
  console.log(
    `  signed, address known ${JSON.stringify(signed.known)}, not known ${JSON.stringify(signed.unknown)}; the slowest was in after ${(signed.slowestMs / 1_000).toFixed(1)} s`,
  )
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
