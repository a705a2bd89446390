/**
 * What only the operator of the service may do, beside the running service or without it:
 *
 *   npm run operator -- status
 *   npm run operator -- list-accounts
 *   npm run operator -- set-plan ACCOUNT_ID free|starter|pro|business
 *   npm run operator -- set-templates-per-day ACCOUNT_ID N|plan
 *   npm run operator -- pause-hooks
 *   npm run operator -- resume-hooks
 *   npm run operator -- reset-password EMAIL
 *   npm run operator -- reencrypt-secrets
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { countKeyUse } from '../src/accounts/encrypted-columns.ts'
import { createKeyRing } from '../src/accounts/key-ring.ts'
import { loadKeys } from '../src/accounts/load-keys.ts'
import { reencryptSecrets } from '../src/accounts/reencrypt-secrets.ts'
import { changePlan } from '../src/accounts/change-plan.ts'
import { changeTemplatesPerDay } from '../src/accounts/change-templates-per-day.ts'
import { resetPassword } from '../src/accounts/reset-password.ts'
import { createClock } from '../src/clock.ts'
import { readConfig, type Config } from '../src/config.ts'
import type { Context } from '../src/context.ts'
import { openBeside } from '../src/database/open-beside.ts'
import { pauseHooks } from '../src/hooks/pause-hooks.ts'
import { createIds, systemRandom } from '../src/ids.ts'
import { createLog } from '../src/log.ts'
import { PLANS, type Plan } from '../src/vocabulary.ts'

type Command = {
  usage: string
  run(context: Context, words: string[], config: Config): Promise<void>
}

const COMMANDS: Record<string, Command> = {
  status: { usage: 'status', run: showStatus },
  'list-accounts': { usage: 'list-accounts', run: listAccounts },
  'set-plan': { usage: `set-plan ACCOUNT_ID ${PLANS.join('|')}`, run: setPlan },
  'set-templates-per-day': {
    usage: 'set-templates-per-day ACCOUNT_ID N|plan',
    run: setTemplatesPerDay,
  },
  'pause-hooks': { usage: 'pause-hooks', run: (context) => switchHooks(context, true) },
  'resume-hooks': { usage: 'resume-hooks', run: (context) => switchHooks(context, false) },
  'reset-password': { usage: 'reset-password EMAIL', run: givePassword },
  'reencrypt-secrets': { usage: 'reencrypt-secrets', run: reencrypt },
}

type Status = {
  pausedAt: Date | null
  accounts: number
  companies: number
  runsDue: number
  pending: number
  held: number
  oldestDueAt: Date | null
}

async function showStatus({ db, clock }: Context): Promise<void> {
  const now = clock.now()
  const { rows } = await sql<Status>`
    with due_run as (
      select wake_at as at from flow_run
      where status in ('queued', 'running', 'waiting') and claim_id is null and wake_at <= ${now}
    ), waiting as (
      select state, due_at from webhook_delivery where state in ('pending', 'held')
    )
    select
      (select changed_at from operator_switch where name = 'hooks_paused' and is_on) as paused_at,
      (select count(*) from account) as accounts,
      (select count(*) from company) as companies,
      (select count(*) from due_run) as runs_due,
      (select count(*) from waiting where state = 'pending') as pending,
      (select count(*) from waiting where state = 'held') as held,
      least((select min(at) from due_run),
        (select min(due_at) from waiting where due_at <= ${now})) as oldest_due_at
  `.execute(db.kysely)
  const status = rows[0]!
  const lines: [string, string | number][] = [
    ['hooks', status.pausedAt ? `paused since ${status.pausedAt.toISOString()}` : 'running'],
    ['accounts', status.accounts],
    ['companies', status.companies],
    ['runs due', status.runsDue],
    ['deliveries pending', status.pending],
    ['deliveries held', status.held],
    ['oldest due', status.oldestDueAt?.toISOString() ?? 'nothing'],
  ]
  for (const [name, value] of lines) console.log(`${name.padEnd(20)}${value}`)
}

async function listAccounts({ db }: Context): Promise<void> {
  const accounts = await db.kysely
    .selectFrom('account')
    .leftJoin('member', (join) =>
      join.onRef('member.accountId', '=', 'account.id').on('member.role', '=', 'owner'),
    )
    .leftJoin('person', 'person.id', 'member.personId')
    .select(['account.id', 'account.name', 'account.plan', 'person.email'])
    .orderBy('account.id')
    .execute()
  for (const { id, plan, name, email } of accounts) {
    console.log([id, plan, name ?? '(no name)', email ?? '(no owner)'].join('  '))
  }
}

async function setPlan(context: Context, [accountId = '', plan = '']: string[]): Promise<void> {
  if (!PLANS.some((known) => known === plan)) {
    throw new Error(`The plan must be one of ${PLANS.join(', ')}, not "${plan}".`)
  }
  requireAccountId(accountId)
  await changePlan(context, { accountId, plan: plan as Plan })
  console.log(`Account ${accountId} is on ${plan}.`)
}

async function setTemplatesPerDay(
  context: Context,
  [accountId = '', number = '']: string[],
): Promise<void> {
  requireAccountId(accountId)
  if (number !== 'plan' && !/^\d{1,9}$/.test(number)) {
    throw new Error(`The number must be a whole number or the word "plan", not "${number}".`)
  }
  const templatesPerDay = number === 'plan' ? null : Number(number)
  await changeTemplatesPerDay(context, { accountId, templatesPerDay })
  const told = templatesPerDay === null ? "its plan's number of" : templatesPerDay
  console.log(`Account ${accountId} has ${told} automated templates a day.`)
}

async function switchHooks(context: Context, isPaused: boolean): Promise<void> {
  await pauseHooks(context, { isPaused })
  console.log(
    isPaused
      ? 'Hooks are paused: every request is answered 503 until resume-hooks.'
      : 'Hooks are running.',
  )
}

async function givePassword(context: Context, [email = '']: string[]): Promise<void> {
  if (email === '') throw new Error('Name the e-mail address: reset-password EMAIL')
  const { password } = await resetPassword(context, { email })
  console.log(
    `The password of ${email} is now, shown this once:\n\n  ${password}\n\nTheir sessions have ended. They should choose another after they sign in.`,
  )
}

async function reencrypt(context: Context, _words: string[], config: Config): Promise<void> {
  const keyRing = createKeyRing(loadKeys(config, systemRandom), systemRandom)
  const done = await reencryptSecrets(context, keyRing)
  for (const { table, column, changed, unreadable } of done) {
    const left = unreadable > 0 ? `, ${unreadable} cannot be read and stay as they are` : ''
    console.log(`${table}.${column}: ${changed} encrypted anew${left}`)
  }
  console.log('\nKeys in use now:')
  for (const { table, column, keyId, values } of await countKeyUse(context.db.kysely)) {
    console.log(`${keyId.padEnd(20)}${values} in ${table}.${column}`)
  }
  if (done.some(({ unreadable }) => unreadable > 0)) process.exitCode = 1
}

function requireAccountId(text: string): void {
  if (!/^[0-9a-f-]{36}$/i.test(text)) throw new Error(`"${text}" is no account id.`)
}

const projectFolder = path.join(import.meta.dirname, '..')
const envFile = path.join(projectFolder, '.env')
if (existsSync(envFile)) process.loadEnvFile(envFile)

const [name = '', ...words] = process.argv.slice(2)
const command = COMMANDS[name]
if (!command) {
  console.error(
    ['Commands:', ...Object.values(COMMANDS).map(({ usage }) => `  ${usage}`)].join('\n'),
  )
  process.exit(1)
}
try {
  const config = readConfig(process.env, [], projectFolder)
  const log = createLog(pino, 'warn')
  const opened = await openBeside(config, log)
  try {
    const clock = createClock()
    const ids = createIds(clock, systemRandom)
    await command.run({ db: opened.database, clock, ids, log }, words, config)
  } finally {
    await opened.close()
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
