/**
 * The limits for uploads of a widget's visitors, and the lifetime of the files. Spec: Channels › The website's
 * chat.
 */
import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/core/limits/units.ts'
import { VISITOR_LIMITS } from '../../src/core/limits/visitors.ts'
import { signedIn } from '../support/dashboard.ts'
import { addCompanies } from '../support/records/accounts.ts'
import { putFile, repeatFile } from '../support/records/files.ts'
import { openWorld } from '../support/open-world.ts'
import { PNG } from '../support/upload-file.ts'
import { visitorRequest, createWebsite, openWidget } from '../support/visitors.ts'

const world = await openWorld({ trustedProxies: '127.0.0.0/8' })
const website = await createWebsite(world, 'web_widget')

const visitor = () => openWidget(world.url, website.key)

test('A file whose message is sent again, because no answer arrived, stays with it', async () => {
  const sara = await visitor()
  const { body: upload } = await sara.upload(PNG)
  const json = { clientMessageId: 'f', uploadId: upload.uploadId }
  for (let time = 0; time < 2; time += 1) {
    expect((await sara.ask('POST', '/messages', json)).status).toBe(202)
  }
  world.clock.advance(DAY_MS + HOUR_MS)
  await world.service.processAll()
  expect(await sara.messages()).toMatchObject([{ file: { id: upload.uploadId } }])
})

describe('Limits', () => {
  test.each([
    ['20 files an hour', VISITOR_LIMITS.uploadsPerVisitorPerHour - 2, 1, HOUR_MS],
    ['50 MB a day', 1, VISITOR_LIMITS.uploadedBytesOfVisitorPerDay - 2 * PNG.length, DAY_MS],
  ])('a visitor uploads %s, and no more', async (_what, more, size, ms) => {
    const sara = await visitor()
    const { body } = await sara.upload(PNG)
    await repeatFile(world, body.uploadId, more, { size })
    expect((await sara.upload(PNG)).status).toBe(201)
    const full = { code: 'limit_reached', reason: 'visitor_uploads_full' }
    expect(await sara.upload(PNG)).toMatchObject({ status: 409, body: full })
    world.clock.advance(ms)
    expect((await sara.upload(PNG)).status).toBe(201)
  })

  test('many concurrent uploads of a visitor keep no more than uploads one by one', async () => {
    const sara = await visitor()
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => (await sara.upload(PNG, `${n}.png`)).status),
    )
    const kept = statuses.filter((status) => status === 201)
    expect(kept).toHaveLength(VISITOR_LIMITS.uploadsPerVisitorPerHour)
    world.clock.advance(HOUR_MS)
  })

  test('one address uploads 100 MB a day over all its visitors, a /48 twice that, and others go on', async () => {
    const uploadFrom = async (address: string) => {
      const { token } = await visitor()
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/octet-stream',
        'x-forwarded-for': address,
      }
      const path = '/widget/v1/uploads?name=picture.png'
      return (await visitorRequest(world.url, 'POST', path, { headers, body: PNG })).status
    }
    /** Each file counts as a whole megabyte; in an hour an address uploads 60 files. */
    const times = async (count: number, address: string) => {
      const statuses = new Set<number>()
      for (let n = 0; n < count; n += 1) {
        if (n % 50 === 0) world.clock.advance(HOUR_MS)
        statuses.add(await uploadFrom(address))
      }
      return [...statuses]
    }
    expect(await times(100, '2001:db8:1:100::1')).toEqual([201])
    expect(await times(1, '2001:db8:1:100::2')).toEqual([409])
    expect(await times(100, '2001:db8:1:200::1')).toEqual([201])
    expect(await times(1, '2001:db8:1:300::1')).toEqual([409])
    expect(await times(1, '2001:db8:2:100::1')).toEqual([201])
    world.clock.advance(DAY_MS)
    expect(await times(1, '2001:db8:1:100::1')).toEqual([201])
    world.clock.advance(DAY_MS)
  })

  test('all visitors of an account upload 1 GB a day together, in whichever of its widgets', async () => {
    const project = { ...website.shop, companyId: (await addCompanies(world, website.shop, 1))[0]! }
    const owner = await signedIn(world, { accountId: project.accountId })
    const beside = await createWebsite(world, 'web_widget', { owner, shop: project })
    const [sara, omar] = [await visitor(), await openWidget(world.url, beside.key)]
    const { body } = await sara.upload(PNG)
    const size = VISITOR_LIMITS.uploadedBytesOfAccountPerDay - PNG.length + 1
    const set = (to: number) => putFile(world, body.uploadId, { size: to })
    await set(size)
    expect((await omar.upload(PNG)).status).toBe(409)
    await set(PNG.length)
    expect((await omar.upload(PNG)).status).toBe(201)
  })

  test('a limited number of conversations begins from one address in an hour; begun ones go on', async () => {
    world.clock.advance(HOUR_MS)
    const first = await visitor()
    await first.say('Hello')
    for (let nth = 1; nth < VISITOR_LIMITS.talksPerAddressPerHour; nth += 1) {
      expect((await (await visitor()).say('Hello')).status).toBe(202)
    }
    const late = await visitor()
    const refused = { status: 429, body: { reason: 'too_many_talks' } }
    expect(await late.say('Hello')).toMatchObject(refused)
    expect((await first.say('Is anybody there?')).status).toBe(202)
    world.clock.advance(HOUR_MS)
    expect((await late.say('Hello')).status).toBe(202)
  })
})
