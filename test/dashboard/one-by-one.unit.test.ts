/** What is selected in the log of deliveries and sent again. Spec: Deliveries › Tests and resends. */
import { expect, test } from 'vitest'
import { oneByOne } from '../../src/dashboard/webhooks/one-by-one.ts'

test('what was sent again before one was refused is not sent a second time with the rest', async () => {
  const selected = new Set(['d1', 'd2', 'd3', 'd4'])
  const sent: string[] = []
  let mostAtOnce = 2
  const resend = async (id: string) => {
    if (mostAtOnce === 0) throw new Error('Too many at once')
    mostAtOnce -= 1
    sent.push(id)
  }
  const all = () => oneByOne([...selected], resend, (id) => void selected.delete(id))
  await expect(all()).rejects.toThrow('Too many at once')
  expect([...selected]).toEqual(['d3', 'd4'])
  mostAtOnce = 4
  await all()
  expect(sent).toEqual(['d1', 'd2', 'd3', 'd4'])
})
