/**
 * Measures the assistant's cost with a model that takes 3 s. Results are the memory with 1,000 waiting replies, CPU
 * time and statements of a reply without tools at 50 a second, the delay from the debounce to the model, and the
 * hooks' rate and time meanwhile.
 *
 *   npm run bench:assistant [-- WAITING [SECONDS [PAIRS [TEXTS [REPLIES A SECOND]]]]]
 *   SPLIT=on npm run bench:assistant -- 0 0 PAIRS      a process for requests, another one for the work
 *
 * 0 leaves a part out. TEXTS names a file for the statements of a reply. The service is a separate process on an
 * embedded PostgreSQL with fsync. This process plays the model, WhatsApp, the shop and the receiver.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readConfig } from '../src/app/config.ts'
import { startEmbeddedPostgres } from '../src/infra/database/embedded/start-embedded-postgres.ts'
import { createService } from '../src/app/create-service.ts'
import { startTestReceiver } from '../test/support/receiver.ts'
import { createShop } from '../test/support/shop.ts'
import { createBackgroundHooks, type BackgroundHooks } from './background-hooks.ts'
import { familyOf, memoryNow, parentOf, peakMemory, processorMs } from './process-costs.ts'
import { startSlowModel } from './slow-model.ts'
import { NODE } from './flood-world.ts'
import { liftLimits, startWholeService } from './whole-service.ts'

const WAITING = Number(process.argv[2] ?? 1_000)
const SECONDS = Number(process.argv[3] ?? 20)
const PAIRS = Number(process.argv[4] ?? 3)
const TEXTS = process.argv[5]
const ANSWERS_AFTER_MS = 3_000
const A_SECOND = Number(process.argv[6] ?? 50)
const ROUND_MS = 15_000
const HOOKS_PER_SECOND = 40
/** Number of shops: a company may have 100 waiting replies, and one number's webhooks come one after the other. */
const SHOPS = 20
const TARGETS = { memoryMb: 300, processorMs: 10, statements: 14, toModelMs: 50, hooks: 0.9 }

const folder = mkdtempSync(path.join(tmpdir(), 'wasla-bench-'))
const postgres = await startEmbeddedPostgres({ dataFolder: folder })
const { host, user, database } = postgres.connection
const receiver = await startTestReceiver()
const model = await startSlowModel(ANSWERS_AFTER_MS)
const caFile = path.join(folder, 'ca.pem')
writeFileSync(caFile, receiver.certificate)
const statementsFile = path.join(folder, 'statements')
const textsFile = path.join(folder, 'texts')
const timesFile = path.join(folder, 'times')
const env = {
  DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
  DATA_FOLDER: folder,
  DEMONSTRATION: 'off',
  EGRESS_ALLOW: '127.0.0.0/8',
  ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  EXTRA_CA_FILE: caFile,
  LOG_LEVEL: 'error',
  MODEL_BASE_URL: model.baseUrl,
  MODEL_NAME: 'slow',
  MODEL_TOKENS_PER_DAY: '2000000000',
  PORT: '0',
  TRUSTED_PROXIES: '127.0.0.0/8',
}
const builder = await createService(readConfig(env, [], folder))
const { context } = builder
const { kysely } = context.db
await builder.listen()
const around = { service: builder, receiver, url: '' }
const shops = await Promise.all(
  Array.from({ length: SHOPS }, (_, nth) =>
    createShop(around, { phoneNumberId: `1000${nth}`, businessAccountId: `2000${nth}` }),
  ),
)
const hookShop = await createShop(around, { phoneNumberId: '30001', businessAccountId: '40001' })
await liftLimits(context.db.pool)
await kysely
  .insertInto('assistant')
  .values(
    shops.map(({ companyId }) => ({
      companyId,
      isOn: true,
      profile: 'A shop for sofas in Riyadh. It sells and delivers sofas and measures at home.',
      guidance: 'Be brief. Offer a visit to the showroom where it fits.',
      updatedAt: context.clock.now(),
    })),
  )
  .execute()
/** A debounce that lets all messages arrive before the first model request: a model has 25 s at most. */
const GATHERED_FIRST_MS = 15_000
const gatherFor = (debounceMs: number) =>
  kysely.updateTable('assistant').set({ debounceMs }).execute()
const switchAssistants = (isOn: boolean) => kysely.updateTable('assistant').set({ isOn }).execute()

const service = await startWholeService(
  {
    ...env,
    STATEMENTS_FILE: statementsFile,
    TEXTS_FILE: textsFile,
    HOOK_TIMES_FILE: timesFile,
    NODE_OPTIONS: [
      NODE.NODE_OPTIONS,
      ...['count-statements.ts', 'note-hook-times.ts'].map(
        (name) => `--import ${path.join(import.meta.dirname, name)}`,
      ),
      process.env.SERVICE_OPTIONS ?? '',
    ].join(' '),
  },
  [...shops, hookShop],
  { split: process.env.SPLIT === 'on' ? { http: 1, daemon: 1 } : null },
)
const hooks = createBackgroundHooks(
  `${service.origin}/hooks/${hookShop.hookToken}`,
  receiver,
  HOOKS_PER_SECOND,
  timesFile,
)

let questions = 0
/** Sends a question to a shop, from the next one of `customers`. Returns the mark of the question. */
function askAssistant(customers: number): string {
  questions += 1
  const nth = questions % customers
  const mark = `Q${questions}Q`
  service.simulator.sendText({
    from: `+9665${String(10_000_000 + nth)}`,
    phoneNumberId: shops[nth % SHOPS]!.phoneNumberId,
    text: `كم يستغرق التوصيل للطلب ${mark}؟`,
  })
  return mark
}

/** Sends `count` questions at an even rate. Returns their marks after the last. */
async function sendEvenly(count: number, customers: number): Promise<string[]> {
  const began = performance.now()
  const marks: string[] = []
  for (let nth = 0; nth < count; nth += 1) {
    const early = began + (nth * 1_000) / A_SECOND - performance.now()
    if (early > 1) await pause(early)
    marks.push(askAssistant(customers))
  }
  return marks
}

async function waitFor(what: string, isSo: () => boolean | Promise<boolean>, withinMs = 60_000) {
  const endsAt = performance.now() + withinMs
  while (!(await isSo())) {
    if (performance.now() > endsAt) throw new Error(`${what}: not within ${withinMs} ms`)
    await pause(100)
  }
}

const active = async () => {
  const { rows } = await context.db.pool.query<{ active: string }>(
    `select count(*) as active from assistant_reply where state in ('gathering', 'thinking', 'sending')`,
  )
  return Number(rows[0]!.active)
}
/** Waits until every question is answered and the receipts are stored. */
async function atRest(): Promise<void> {
  await waitFor('no reply is under way', async () => (await active()) === 0)
  await pause(2_500)
}

const results: boolean[] = []
function result(what: string, figure: number, target: number, isKept: boolean, digits = 1) {
  results.push(isKept)
  console.log(`RESULT ${isKept ? 'kept' : 'MISSED'} ${what}: ${figure.toFixed(digits)} (${target})`)
}

async function waitingForModel(): Promise<void> {
  const before = memoryNow(service.pid)
  await gatherFor(GATHERED_FIRST_MS)
  const release = model.hold()
  for (let nth = 0; nth < WAITING; nth += 1) {
    askAssistant(WAITING)
    if (nth % 100 === 99) await pause(250)
  }
  const reached = () => model.waiting() >= WAITING
  // A model waits for 25 s: on a busy machine not all replies arrive in that time.
  await waitFor(`${WAITING} wait for the model`, reached).catch(() => {
    console.log(`no more than ${model.waiting()} wait at the same time`)
  })
  const waiting = memoryNow(service.pid)
  release()
  await gatherFor(3_000)
  await atRest()
  const peak = peakMemory(service.pid)
  console.log(
    `memory: ${before} MB before, ${waiting} MB while ${WAITING} wait, ${peak} MB at most`,
  )
  result(
    `MB while ${WAITING} replies wait for a model`,
    waiting,
    TARGETS.memoryMb,
    waiting < TARGETS.memoryMb,
    0,
  )
  result('MB at most, until all were answered', peak, TARGETS.memoryMb, peak < TARGETS.memoryMb, 0)
}

type Texts = Map<string, { calls: number; ms: number }>

/** Returns the cost of service and database until now. */
async function costs() {
  // The counts are written a few times a second.
  await pause(1_500)
  const { rows } = await context.db.pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  return {
    serviceMs: processorMs(service.pid),
    databaseMs: familyOf(parentOf(rows[0]!.pid)).reduce((sum, pid) => sum + processorMs(pid), 0),
    statements: Number(readFileSync(statementsFile, 'utf8')),
    texts: new Map(
      JSON.parse(readFileSync(textsFile, 'utf8')) as [string, { calls: number; ms: number }][],
    ),
  }
}

/** Returns the cost per question of `count` questions at an even rate. */
async function costOf(count: number) {
  const before = await costs()
  const marks = await sendEvenly(count, 1_000)
  await atRest()
  const after = await costs()
  const each = (key: 'serviceMs' | 'databaseMs' | 'statements') =>
    (after[key] - before[key]) / count
  return {
    marks,
    serviceMs: each('serviceMs'),
    databaseMs: each('databaseMs'),
    statements: each('statements'),
    texts: [...(after.texts as Texts)].map(([text, { calls, ms }]) => ({
      text,
      calls: (calls - (before.texts.get(text)?.calls ?? 0)) / count,
      ms: (ms - (before.texts.get(text)?.ms ?? 0)) / count,
    })),
  }
}

/** Statements on tables of the assistant, without those of the outbox at every send. */
const OF_REPLIES =
  /^(?!with begun as|with asked as (?:materialized )?\( select \* from).*assistant(?:[._"]|\b)/
const QUEUED = /^with queued as \( insert into message/
/** The first statement of every advance of a reply, each in one transaction. */
const TURN = /^with held as materialized \( select id from conversation where id = \$1 for update/

async function steadily(): Promise<void> {
  const count = A_SECOND * SECONDS
  await costOf(A_SECOND * 4)
  await switchAssistants(false)
  const unanswered = await costOf(count)
  await switchAssistants(true)
  const answered = await costOf(count)
  const report = (what: string, of: typeof answered) =>
    console.log(
      `${what}: ${of.statements.toFixed(1)} statements, processor ${of.serviceMs.toFixed(1)} + ${of.databaseMs.toFixed(1)} ms`,
    )
  report('a message that nobody answers', unanswered)
  report('a message with its reply, send and receipts', answered)
  const more = (words: RegExp) =>
    answered.texts
      .filter(({ text }) => words.test(text))
      .reduce((sum, { calls }) => sum + calls, 0) -
    unanswered.texts
      .filter(({ text }) => words.test(text))
      .reduce((sum, { calls }) => sum + calls, 0)
  const turns = more(TURN)
  const own = more(OF_REPLIES) + more(QUEUED) + 2 * turns
  const all = answered.statements - unanswered.statements
  console.log(
    `a reply: ${own.toFixed(1)} statements of its own, ${(2 * turns).toFixed(1)} of them begin and end its transactions; ${all.toFixed(1)} with its send and receipts`,
  )
  if (TEXTS) {
    const lines = answered.texts
      .map((one) => ({
        ...one,
        before: unanswered.texts.find(({ text }) => text === one.text)?.calls ?? 0,
      }))
      .filter(({ calls, before }) => Math.abs(calls - before) > 0.005)
      .toSorted((a, b) => b.calls - b.before - (a.calls - a.before))
      .map(
        ({ calls, before, ms, text }) =>
          `${(calls - before).toFixed(3)} ${ms.toFixed(2)} ms  ${text}`,
      )
    writeFileSync(TEXTS, `${lines.join('\n')}\n`)
  }
  const ownMs = answered.serviceMs - unanswered.serviceMs
  result('ms of the service for a reply', ownMs, TARGETS.processorMs, ownMs <= TARGETS.processorMs)
  result('statements of a reply', own, TARGETS.statements, own <= TARGETS.statements)
  const toModel = await untilAsked(answered.marks)
  const p95 = toModel[Math.floor(toModel.length * 0.95)]!
  console.log(
    `from quiet to model: median ${toModel[toModel.length >> 1]!} ms, most ${toModel.at(-1)} ms`,
  )
  result('ms from quiet to model, p95', p95, TARGETS.toModelMs, p95 <= TARGETS.toModelMs, 0)
}

/** Returns the delays from the end of the debounce to the model, in ms, in ascending order. */
async function untilAsked(marks: readonly string[]): Promise<number[]> {
  const { rows } = await context.db.pool.query<{ text: string; until: Date }>(
    `select message.text, debounce_until as until from assistant_reply
      join message on message.id = first_message_id`,
  )
  const ends = new Map(rows.map((row) => [/Q\d+Q/.exec(row.text)![0], row.until.getTime()]))
  return marks
    .map((mark) => (model.requestedAt.get(mark) ?? Number.NaN) - (ends.get(mark) ?? Number.NaN))
    .toSorted((a, b) => a - b)
}

async function hooksBeside(): Promise<void> {
  // Both ways are compiled before they are compared.
  await Promise.all([hooks(5_000), sendEvenly(A_SECOND * 3, 1_000)])
  await atRest()
  const rounds: { alone: BackgroundHooks; together: BackgroundHooks }[] = []
  for (let nth = 0; nth < PAIRS; nth += 1) {
    const alone = await hooks(ROUND_MS)
    const asking = sendEvenly((A_SECOND * (ROUND_MS + 6_000)) / 1_000, 1_000)
    // The first replies end after their quiet and the model's 3 s.
    await pause(6_000)
    const together = await hooks(ROUND_MS)
    await asking
    await atRest()
    rounds.push({ alone, together })
    console.log(JSON.stringify({ alone, together }))
  }
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!
  const rate = median(rounds.map(({ alone, together }) => together.hooks / alone.hooks))
  const p99 = median(rounds.map(({ alone, together }) => together.p99Ms / alone.p99Ms))
  console.log(`the p99 of hooks during ${A_SECOND} replies a second`)
  result('of their rate that hooks keep meanwhile', rate, TARGETS.hooks, rate >= TARGETS.hooks, 2)
  result(
    'of their p99 that hooks take meanwhile',
    p99,
    1 / TARGETS.hooks,
    p99 <= 1 / TARGETS.hooks,
    2,
  )
}

try {
  if (WAITING > 0) await waitingForModel()
  if (SECONDS > 0) await steadily()
  if (PAIRS > 0) await hooksBeside()
  console.log(`load average ${loadavg()[0]!.toFixed(1)}`)
  process.exitCode = results.includes(false) ? 1 : 0
} finally {
  await service.stop()
  await model.close()
  await builder.stop()
  await receiver.close()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
