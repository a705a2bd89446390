/** The media of the Graph API, held to what Meta's own description of it says. */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../src/limits/units.ts'
import { NUMBER } from './business.ts'
import { startSimulated, upload } from './simulated.ts'

const CUSTOMER = '12025550101'
const bearer = { headers: { authorization: `Bearer ${NUMBER.accessToken}` } }

describe('a file at WhatsApp', () => {
  test('is uploaded in a form, found by its id, and given for five minutes to who has the token', async () => {
    const { graph, clock } = await startSimulated()
    const { id } = (await upload(graph)).json
    const found = await graph(`${id}?phone_number_id=${NUMBER.phoneNumberId}`)
    expect(found.json).toMatchObject({
      id,
      messaging_product: 'whatsapp',
      mime_type: 'application/pdf',
      file_size: 8,
      sha256: createHash('sha256').update('%PDF-1.4').digest('hex'),
    })
    const { url } = found.json
    expect(await (await fetch(url, bearer)).text()).toBe('%PDF-1.4')
    expect((await fetch(url)).status).toBe(401)
    clock.forwardMs(5 * MINUTE_MS)
    expect((await fetch(url, bearer)).status).toBe(400)
    expect((await graph(`${id}?phone_number_id=999`)).status).toBe(400)
  })

  test('of a type that Meta does not take, or too large for it, is refused', async () => {
    const { graph } = await startSimulated()
    const code = async (file: { bytes?: string; type: string }) =>
      (await upload(graph, file)).json.error.code
    expect(await code({ type: 'image/gif' })).toBe(100)
    expect(await code({ type: 'application/octet-stream' })).toBe(100)
    expect(await code({ type: 'image/png', bytes: 'x'.repeat(5_242_881) })).toBe(100)
  })

  test('is sent only while it is there, and as what it is', async () => {
    const { graph, send, simulator } = await startSimulated()
    const { id } = (await upload(graph)).json
    const sent = async (type: string) =>
      (await send({ messaging_product: 'whatsapp', to: CUSTOMER, type, [type]: { id } })).status
    expect([await sent('document'), await sent('image')]).toEqual([200, 400])
    simulator.forgetMedia(id)
    expect(await sent('document')).toBe(400)
  })

  test('that a customer sends as a sample is there to be fetched', async () => {
    const { simulator, receiver, graph } = await startSimulated()
    for (const kind of ['image', 'video', 'document', 'voice', 'sticker'] as const) {
      simulator.sendSample({ from: CUSTOMER, kind })
    }
    await simulator.idle()
    const told = JSON.stringify(receiver.messages())
    const ids = [...new Set([...told.matchAll(/"id":"(10{13}\d)"/g)].map(([, id]) => id!))]
    expect(ids).toHaveLength(5)
    for (const id of ids) {
      const { url } = (await graph(id)).json
      const bytes = Buffer.from(await (await fetch(url, bearer)).arrayBuffer())
      const sum = createHash('sha256').update(bytes).digest('base64')
      expect(told).toContain(JSON.stringify(sum))
    }
  })
})
