/** The lookup of customers by identifier. This file has all that the runner knows of how identifiers are stored. */
import { transaction } from '../../src/infra/database/transaction.ts'
import { lookUpCustomers } from '../../src/modules/messaging/look-up-customers.sql.ts'
import { identifiersOf as identifiersIn } from '../../src/rules/identity/identifier.ts'
import { identifiersOf } from '../support/records/identifiers.ts'
import { contactsOf } from '../support/records/contacts.ts'
import { ofEach } from '../support/records/records.ts'
import type { World } from '../support/world.ts'
import { lineOf } from './identity-line.ts'

const NAMES = {
  number: 'number',
  user: 'businessScopedId',
  parent: 'parentBusinessScopedId',
  lid: 'lid',
  id: 'providerUserId',
} as const

export type KindOfIdentifier = keyof typeof NAMES

/**
 * Returns the contact that one identifier finds, or null. It writes nothing.
 * @param value Digits of a number, an id as the provider sends it, or for an `id` the part of the user or person alone.
 * @param channel The channel of an `id`, if known; otherwise any WhatsApp number of the company.
 */
export async function whoIs(
  { service }: Pick<World, 'service'>,
  companyId: string,
  { kind, value }: { kind: KindOfIdentifier; value: string },
  channel: { id: string; type: string; route: string },
): Promise<string | null> {
  const identifiers = identifiersIn({ [NAMES[kind]]: value }, channel)
  const asked = { companyId, channelId: channel.id, identifiers }
  const [known] = await transaction(service.context.db, (tx) => lookUpCustomers(tx, [asked]))
  return known?.contactId ?? null
}

/** Returns the contacts that each identifier of a company finds. More than one for an identifier is a fault. */
export async function holdersOf(
  world: World,
  companyId: string,
): Promise<Map<string, Set<string>>> {
  const holders = new Map<string, Set<string>>()
  const hold = (identifier: string, contactId: string) =>
    holders.set(identifier, (holders.get(identifier) ?? new Set()).add(contactId))
  const contacts = await contactsOf(world, { companyId })
  for (const { id, phone } of contacts)
    if (phone !== null) hold(keyOf('number', phone.slice(1)), id)
  await ofEach(contacts, async ({ id }) => {
    for (const { kind, value, state } of await identifiersOf(world, id)) {
      if (state !== 'left') hold(keyOf(kind, value), id)
    }
    return []
  })
  return holders
}

const keyOf = (kind: string, value: string) =>
  `${kind}:${kind === 'number' ? lineOf(value) : value}`

/**
 * Returns the contact that a conversation's id belongs to, if the provider gives that id to one customer only. Returns
 * null for a number, which can change its owner.
 */
export function contactOfId(
  holders: ReadonlyMap<string, ReadonlySet<string>>,
  filedUnder: string,
): string | null {
  const kinds = ['user', 'parent', 'lid', 'page', 'form', 'call']
  const user = filedUnder.slice(filedUnder.indexOf(':') + 1)
  const found = [
    ...kinds.map((kind) => keyOf(kind, filedUnder)),
    ...(filedUnder.includes(':') ? [keyOf('telegram', user)] : []),
  ].flatMap((key) => [...(holders.get(key) ?? [])])
  return found[0] ?? null
}
