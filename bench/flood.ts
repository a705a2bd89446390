/**
 * An unsigned flood on the provider's webhook address: bodies of 4 MB over 16 connections, 400 bodies
 * that never come to their end, 1,000 channels of one account, every request from another address. Beside
 * it hook requests over 8 connections. Tells how late the service's event loop was at worst, its memory,
 * and how many hook requests it accepted a second, alone and beside the flood.
 *
 *   npm run bench:flood [-- SECONDS]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readConfig } from '../src/config.ts'
import { startEmbeddedPostgres } from '../src/database/embedded/start-embedded-postgres.ts'
import { createService } from '../src/service.ts'
import { startTestReceiver } from '../test/support/receiver.ts'
import { createShop } from '../test/support/shop.ts'
import {
  askHooks,
  connectChannels,
  FLOODED_ACCOUNT,
  NODE,
  run,
  type Measured,
} from './flood-world.ts'

const SECONDS = Number(process.argv[2] ?? 60)
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

async function makeShops(): Promise<string[]> {
  const service = await createService(readConfig(env, [], folder))
  const receiver = await startTestReceiver()
  const tokens: string[] = []
  for (let company = 0; company < COMPANIES; company += 1) {
    const shop = await createShop({ service, receiver, url: '' }, { phoneNumberId: `${company}` })
    if (company === 0) await connectChannels(service, shop.companyId, 1_000)
    tokens.push(shop.hookToken)
  }
  // What is measured is how many are taken in, not how many may be.
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
  return tokens
}

const show = ({ worstMs, busiestMs, share, peakMb }: Measured) =>
  `event loop late by ${worstMs.toFixed(0)} ms at worst, ${busiestMs.toFixed(0)} ms of it its own work; ${(100 * share).toFixed(0)} % of a processor; ${peakMb.toFixed(0)} MB`

try {
  const tokens = await makeShops()
  const service = run('flood-service-process.ts', env)
  const origin = `http://127.0.0.1:${(await service.line()).split(' ')[1]}`
  const measured = async () => JSON.parse(await service.ask()) as Measured
  const half = Math.max(SECONDS / 3, 2)
  await askHooks(origin, tokens, { seconds: 5, connections: CONNECTIONS, prefix: 10 })
  await measured()
  const alone = await askHooks(origin, tokens, {
    seconds: half,
    connections: CONNECTIONS,
    prefix: 11,
  })
  const quiet = await measured()
  const load = run('flood-load-process.ts', {
    ORIGIN: origin,
    ACCOUNT: FLOODED_ACCOUNT,
    SECONDS: String(SECONDS),
  })
  const beside = await askHooks(origin, tokens, {
    seconds: SECONDS,
    connections: CONNECTIONS,
    prefix: 12,
  })
  const flooded = await measured()
  const { statuses } = JSON.parse(await load.line()) as { statuses: Record<string, number> }
  await service.stop()
  console.log(`hooks alone      ${alone.rate.toFixed(0)}/s  ${show(quiet)}`)
  console.log(`beside a flood   ${beside.rate.toFixed(0)}/s  ${show(flooded)}`)
  console.log(`  of alone       ${(beside.rate / alone.rate).toFixed(2)}`)
  console.log(`  hooks' answers ${JSON.stringify(beside.statuses)}`)
  console.log(`  the flood's    ${JSON.stringify(statuses)} in ${SECONDS} s`)
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
