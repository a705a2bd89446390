/** Widgets and forms on merchants' websites: finding one by its key, its allowed origins, and its appearance. */
import type { Kysely } from 'kysely'
import { requireWorking } from '../accounts/account-hold.ts'
import type { OpenedChannel } from '../channels/load-channel.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { FormField } from '../../core/vocabulary/visitors.ts'

/** A widget or form that visitors use. */
export type Site = {
  channel: OpenedChannel
  company: { id: string; name: string | null }
  /** Origins, as a browser writes them. */
  origins: string[]
  accent: string | null
  greeting: { en: string | null; ar: string | null }
  formFields: { name: FormField; email: FormField }
}

/** The key of a widget or form. It is public, because the merchant's page contains it. */
const KEY = /^[A-Za-z0-9_-]{8,40}$/

/**
 * Loads a connected widget or form by its key.
 * @throws not_found for an unknown key, or a channel that was removed; AccountOnHold.
 */
export async function loadSite(
  db: Kysely<DB>,
  type: 'web_widget' | 'website',
  key: string,
): Promise<Site> {
  const row = KEY.test(key) ? await find(db, type, key) : undefined
  if (!row) throw new ServiceError('not_found', fact('no_such_site'))
  requireWorking(row.hold)
  return {
    channel: {
      id: row.id,
      companyId: row.companyId,
      type,
      route: key,
      account: null,
      settings: {},
      isSimulated: row.isSimulated,
      credentials: {},
    },
    company: { id: row.companyId, name: row.companyName },
    origins: row.origins ?? [],
    accent: row.accent,
    greeting: { en: row.greetingEn, ar: row.greetingAr },
    formFields: {
      name: (row.asksName ?? 'no') as FormField,
      email: (row.asksEmail ?? 'no') as FormField,
    },
  }
}

function find(db: Kysely<DB>, type: string, key: string) {
  return db
    .selectFrom('channel')
    .innerJoin('company', 'company.id', 'channel.companyId')
    .innerJoin('account', 'account.id', 'company.accountId')
    .leftJoin('site', 'site.channelId', 'channel.id')
    .select([
      'channel.id',
      'channel.companyId',
      'channel.isSimulated',
      'company.name as companyName',
      'account.hold',
      'site.origins',
      'site.accent',
      'site.greetingEn',
      'site.greetingAr',
      'site.asksName',
      'site.asksEmail',
    ])
    .where('channel.type', '=', type)
    .where('channel.providerRoute', '=', key)
    .where('channel.deletedAt', 'is', null)
    .where('channel.isConnected', '=', true)
    .executeTakeFirst()
}
