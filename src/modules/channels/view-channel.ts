import type { KeyRing } from '../../infra/secrets/key-ring.ts'
import type { ChannelView } from '../../contract/dashboard/channel.ts'
import type { Ids } from '../../core/ids.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import { parseFact } from '../../core/facts/stored-fact.ts'
import type { ChannelType } from '../../core/vocabulary/channels.ts'
import type { ChannelIdentity, FormValues } from './channel-access.ts'
import { tryReadCredentials, type ChannelRow } from './load-owned-channel.ts'
import { adapterOf, type ChannelAdapters } from './registry.ts'
import { secretFieldsFor } from './require-credentials.ts'
import { webhookUrlOf } from './webhook-path.ts'

/** The minimum token length at which four characters may be shown. */
const SHOWN_FROM_CHARS = 16

/** Returns what identifies a channel at its provider: ids, number and settings. */
export function identityOf(row: ChannelRow): ChannelIdentity {
  const { providerRoute: route, providerAccount: account, displayNumber } = row
  return { route, account, displayNumber, settings: JSON.parse(row.settings) as FormValues }
}

/** Converts a channel to its view; of secrets it shows only the ends of those that authenticate. */
export function viewChannel(
  {
    keyRing,
    adapters,
    formatFact,
    publicUrl,
    ids,
  }: {
    keyRing: KeyRing
    adapters: ChannelAdapters
    formatFact: FormatFact
    publicUrl(): string
    ids: Pick<Ids, 'cell'>
  },
  row: ChannelRow,
): ChannelView {
  const type = row.type as ChannelType
  const adapter = adapterOf(adapters, type)
  // Unreadable credentials hide neither the channel nor others: they are entered again on its page.
  const { secrets, unreadable } = tryReadCredentials(keyRing, adapter, row)
  const problem = unreadable ?? (row.problem === null ? null : parseFact(row.problem))
  const ends = secretFieldsFor(adapter.form, 'authenticates').flatMap((field) => {
    const secret = secrets[field]
    return secret ? [[field, secret.length < SHOWN_FROM_CHARS ? null : secret.slice(-4)]] : []
  })
  return {
    id: row.id,
    type,
    name: row.name,
    credentials: adapter.openFields(identityOf(row)),
    secretEnds: Object.fromEntries(ends) as ChannelView['secretEnds'],
    country: row.country,
    isConnected: row.isConnected,
    disconnectedReason:
      row.disconnectedReason === null ? null : formatFact(parseFact(row.disconnectedReason)),
    isSimulated: row.isSimulated,
    takeOverHours: row.takeOverHours,
    problem: problem && formatFact(problem),
    webhookUrl: webhookUrlOf(publicUrl(), ids.cell, adapter, row.id),
    isCoexistence: row.isCoexistence,
    history: row.historyReportedAt && {
      percent: row.historyPercent ?? 0,
      isDeclined: row.historyDeclined,
      reportedAt: row.historyReportedAt.toISOString(),
    },
    riskAcceptedAt: row.riskAcceptedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
