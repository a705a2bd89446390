/**
 * Names of customers are requested from the provider, and requested again a few times while it is busy or
 * unavailable.
 */
import { expect, test } from 'vitest'
import { createProfileLookupsWorker } from '../../src/workers/profile-lookups.ts'
import { transaction } from '../../src/infra/database/transaction.ts'
import { NAME_LIMITS } from '../../src/core/limits/messaging.ts'
import { enqueueProfileLookups } from '../../src/modules/messaging/profile-lookup-queue.sql.ts'
import { addIdentifier } from '../support/records/identifiers.ts'
import { contactOf, describeContact } from '../support/records/contacts.ts'
import { putConversation } from '../support/records/conversations.ts'
import { openActionWorld, type Talk } from '../connections/action-world.ts'

const w = await openActionWorld()

type Profile = { outcome: 'fetched'; name: string | null } | { outcome: 'refused'; error: object }
type Deps = Parameters<typeof createProfileLookupsWorker>[1]

/** Adds a customer without a name, and the worker with a provider that gives these answers in turn. */
async function asking(...answers: Profile[]) {
  const talk = await w.customer()
  const { db, clock } = w.deps
  const { contactId, conversationId } = talk
  const { companyId } = w.shop
  const filedUnder = `page-1:${contactId}`
  await putConversation(w.world, conversationId, { contactId, filedUnder })
  await addIdentifier(w.world, w.shop, { contactId, kind: 'page', value: filedUnder })
  await describeContact(w.world, contactId, { name: null })
  await transaction(db, (tx) =>
    enqueueProfileLookups(tx, clock.now(), [{ id: conversationId, companyId }]),
  )
  const fetchProfile = () => Promise.resolve(answers.shift()!)
  const byId = () => Promise.resolve({ type: 'whatsapp' })
  const worker = createProfileLookupsWorker(w.deps, {
    adapters: { whatsapp: { fetchProfile } } as unknown as Deps['adapters'],
    knownChannels: { byId } as unknown as Deps['knownChannels'],
    claimId: () => w.deps.ids.uuid(),
    onProgress: () => {},
  })
  const turn = async () => {
    await worker.work()
    await worker.drain()
    return answers.length
  }
  return { talk, turn }
}

const nameOf = async ({ contactId }: Talk) => (await contactOf(w.world, contactId)).name
const refused = (errorClass: string): Profile => ({
  outcome: 'refused',
  error: { class: errorClass, code: 'x', message: '' },
})
const SARA: Profile = { outcome: 'fetched', name: 'Sara' }

test.each(['transient', 'rate'])(
  'A %s refusal: the name is requested again',
  async (errorClass) => {
    const { talk, turn } = await asking(refused(errorClass), SARA)
    expect(await turn()).toBe(1)
    w.world.clock.advance(NAME_LIMITS.retryDelaysMs[0] - 1)
    expect(await turn()).toBe(1)
    expect(await nameOf(talk)).toBe(null)
    w.world.clock.advance(1)
    expect(await turn()).toBe(0)
    expect(await nameOf(talk)).toBe('Sara')
  },
)

test('A permanent refusal is not tried again, nor a temporary one after the last retry', async () => {
  const { retryDelaysMs } = NAME_LIMITS
  const busy = retryDelaysMs.map(() => refused('transient'))
  for (const answers of [[refused('other')], [...busy, refused('transient')]]) {
    const { talk, turn } = await asking(...answers, SARA)
    await turn()
    for (const delayMs of [...retryDelaysMs, NAME_LIMITS.leaseMs]) {
      w.world.clock.advance(delayMs)
      await turn()
    }
    expect(await turn()).toBe(1)
    expect(await nameOf(talk)).toBe(null)
  }
})
