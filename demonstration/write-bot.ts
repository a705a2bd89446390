/**
 * The Telegram part of the demonstration: a bot of the simulated provider with a separate flow. It is created at the
 * first start of a version that has it; what a member has deleted stays deleted.
 */
import type { Transaction } from 'kysely'
import { beginPolling } from '../src/modules/channels/poll-queue.sql.ts'
import { credentialsContext, loadChannel } from '../src/modules/channels/load-channel.ts'
import type { TelegramCredentials } from '../src/modules/channels/telegram/credentials.ts'
import type { Context } from '../src/infra/context.ts'
import type { DB } from '../src/infra/database/tables.ts'
import { transaction } from '../src/infra/database/transaction.ts'
import type { KeyRing } from '../src/infra/secrets/key-ring.ts'
import type { Options } from '../simulators/index.ts'
import { DEMONSTRATION_COMPANY } from './create-demonstration.ts'
import { helpFlow } from './keyword-flows.ts'
import { writeFlow } from './write-flow.ts'

const CHANNEL = 'de300000-0000-4000-8000-00000000000c'
const BOT_ID = '7000000001'
const HELP_FLOW = {
  companyId: DEMONSTRATION_COMPANY,
  flowId: 'de300000-0000-4000-8000-000000000027',
  versionId: 'de300000-0000-4000-8000-000000000028',
  name: 'Help on Telegram',
}

/** The people on the simulated phones at the first start. */
const PEOPLE = [
  {
    id: '700000010',
    firstName: 'Dana',
    lastName: 'Khalil',
    username: 'dana_k',
    languageCode: 'en',
  },
  { id: '700000011', firstName: 'خالد', languageCode: 'ar' },
]

/** Creates the bot unless it was created before. Returns the options of its simulator. */
export async function writeBot(
  context: Context & { keyRing: KeyRing },
  { journalFile }: { journalFile: string },
): Promise<Options['telegram']> {
  const { db, keyRing } = context
  await transaction(db, (tx) => writeChannel(tx, context))
  const channel = await loadChannel(db.kysely, keyRing, CHANNEL)
  const { botToken: token } = (channel?.credentials ?? {}) as Partial<TelegramCredentials>
  const bot = { name: 'Demonstration shop', username: 'demo_shop_bot' }
  return {
    bots: token === undefined ? [] : [{ token, ...bot }],
    people: PEOPLE,
    journalFile: `${journalFile}.telegram`,
  }
}

async function writeChannel(
  tx: Transaction<DB>,
  { ids, clock, keyRing }: Pick<Context, 'ids' | 'clock'> & { keyRing: KeyRing },
): Promise<void> {
  const now = clock.now()
  const made: TelegramCredentials = {
    botToken: `${BOT_ID}:${ids.token(26)}`,
    webhookSecret: ids.token(32),
  }
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('channel')
    .values({
      id: CHANNEL,
      companyId: DEMONSTRATION_COMPANY,
      type: 'telegram',
      name: 'Simulated Telegram bot',
      providerRoute: BOT_ID,
      settings: JSON.stringify({ delivery: 'polling' }),
      credentials: keyRing.encrypt(
        JSON.stringify(made),
        credentialsContext(CHANNEL, DEMONSTRATION_COMPANY),
      ),
      isConnected: true,
      isSimulated: true,
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  if (!numInsertedOrUpdatedRows) return
  await beginPolling(tx, CHANNEL, now)
  await writeFlow(tx, now, HELP_FLOW, helpFlow(CHANNEL))
}
