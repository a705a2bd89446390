/** Events that members, customers and files raise by changing contacts and leads. */
import { expect } from 'vitest'
import { makeOptOutToken } from '../../src/modules/broadcasts/opt-out-link.ts'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import type { LeadView } from '../../src/contract/dashboard/lead.ts'
import { getPage } from '../support/pages.ts'
import { newPhone } from '../support/simulator.ts'
import { importsOf } from '../support/upload-contacts.ts'
import { postChanges } from '../support/whatsapp-webhook.ts'
import type { EventShop, Way } from './event-shop.ts'

export function contactWays({ world, shop, owner, ask, makeContact }: EventShop): Way[] {
  let contact: ContactView
  let other: ContactView
  let lead: LeadView
  const imports = importsOf(world, { owner, shop })
  const withContact = async () => (contact = await makeContact({ tags: ['old'] }))
  const changeContact = (what: string, json: object = {}) =>
    ask('POST', `/contacts/${contact.id}/${what}`, json)

  return [
    {
      way: 'a member makes a contact',
      by: [
        'modules/contacts/create-contact.ts createContacts',
        'modules/messaging/create-contacts.ts raiseEvents',
      ],
      raises: ['contact.created'],
      does: withContact,
    },
    {
      way: 'a member edits a contact',
      by: [
        'modules/contacts/edit-contact.ts editContacts',
        'modules/messaging/edit-contacts.ts raiseEvents',
      ],
      raises: ['contact.updated'],
      does: () =>
        ask('PATCH', `/contacts/${contact.id}`, {
          fields: { size: 'L' },
          email: 'h@example.com',
        }),
    },
    {
      way: 'a member renames a tag everywhere',
      by: ['modules/contacts/step-tag-jobs.ts editContacts'],
      raises: ['contact.updated'],
      does: () => ask('POST', '/tags/rename', { tag: 'old', newTag: 'new' }),
    },
    {
      way: 'a member opts a contact out',
      by: ['modules/contacts/switch-opt-out.ts editContacts'],
      raises: ['contact.opted_out'],
      does: () => changeContact('opt-out'),
    },
    {
      way: 'a member opts a contact in',
      by: [],
      raises: ['contact.updated'],
      does: () => changeContact('opt-in', { reason: 'asked' }),
    },
    {
      way: 'a member merges two contacts',
      by: ['modules/contacts/merge-contact.ts editContacts'],
      raises: ['contact.updated'],
      given: async () => (other = await makeContact({ tags: ['twin'] })),
      does: () => changeContact('merge', { fromId: other.id }),
    },
    {
      way: 'a member separates merged contacts',
      by: [
        'modules/identity/unmerge-contacts.ts editContacts',
        'modules/identity/unmerge-contacts.ts raiseEvents',
      ],
      raises: ['contact.updated', 'contact.updated'],
      does: () => changeContact('unmerge', { fromId: other.id }),
    },
    {
      way: 'the customer stops by the link of a broadcast',
      by: ['modules/messaging/change-opt-out.ts editContacts'],
      raises: ['contact.opted_out'],
      does: async () => {
        const { keyRing, context } = world.service
        const of = { contactId: contact.id, broadcastId: context.ids.uuid() }
        const page = `${world.url}/o/${makeOptOutToken(keyRing, of)}`
        expect((await getPage(page, { form: '' })).status).toBe(303)
      },
    },
    {
      way: 'a member erases a contact',
      by: ['modules/contacts/erase-contact.ts editContacts'],
      raises: ['contact.updated'],
      does: () => changeContact('erase', { confirm: true }),
    },
    {
      way: 'an import creates, changes and opts out contacts',
      by: [
        'modules/contacts/import/import-page.ts createContacts',
        'modules/contacts/import/import-page.ts editContacts',
      ],
      raises: ['contact.created', 'contact.updated', 'contact.opted_out'],
      given: async () => {
        await withContact()
        other = await makeContact()
      },
      does: async () => {
        const rows = [
          `New,${newPhone()},,,`,
          `Noura,${contact.phone},,,`,
          `Huda,${other.phone},,,yes`,
        ]
        await imports.importPage(rows.join('\n'), { mode: 'overwrite' })
      },
    },
    {
      way: 'the phone of the owner has a customer in its address book',
      by: ['modules/messaging/name-by-address-book.ts editContacts'],
      raises: ['contact.updated'],
      given: async () => (other = await makeContact({ name: null })),
      does: () => {
        const of = { full_name: 'Noura', phone_number: other.phone!.slice(1) }
        const state_sync = [{ type: 'contact', action: 'add', contact: of }]
        return postChanges(world, shop, { field: 'smb_app_state_sync', value: { state_sync } })
      },
    },
    {
      way: 'a member qualifies a lead',
      by: ['modules/leads/change-lead.ts raiseQualified'],
      raises: ['lead.qualified'],
      given: async () => (lead = await ask<LeadView>('POST', '/leads', { contactId: other.id })),
      does: () => ask('POST', `/leads/${lead.id}/qualify`),
    },
  ]
}
