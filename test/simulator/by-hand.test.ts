/** Customers that answer by themselves, and the switch with which a person takes their place. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { NUMBER } from './business.ts'
import { orderReadyTo, startSimulated, type Simulated } from './simulated.ts'

const SARA = '12025550101'
const OMAR = '12025550102'
const ALONE = { autoReply: true }

async function act({ simulator }: Simulated, action: object): Promise<number> {
  const response = await fetch(`${simulator.pageUrl}/api/actions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(action),
  })
  return response.status
}
async function view({ simulator }: Simulated, path: string) {
  const response = await fetch(`${simulator.pageUrl}/api/${path}`)
  return response.json()
}
const chatOf = (customer: string) =>
  `chat?phoneNumberId=${NUMBER.phoneNumberId}&customer=${customer}`
const tapped = ({ receiver }: Simulated) => receiver.messages().map(({ from }) => from)

test('a phone that a person answers for neither reads nor taps by itself; the others do', async () => {
  const simulated = await startSimulated(ALONE)
  expect(await act(simulated, { action: 'answerByHand', from: SARA, isByHand: true })).toBe(200)
  await simulated.send(orderReadyTo(SARA))
  await simulated.send(orderReadyTo(OMAR))
  await simulated.simulator.idle()
  expect(tapped(simulated)).toEqual([OMAR])
  expect(simulated.simulator.messages().map(({ to, status }) => [to, status])).toEqual([
    [SARA, 'delivered'],
    [OMAR, 'read'],
  ])
  expect(await view(simulated, chatOf(SARA))).toMatchObject({ isByHand: true })
  expect(await view(simulated, chatOf(OMAR))).toMatchObject({ isByHand: false })
})

test('that person reads and taps, whichever button, and nothing answers after them', async () => {
  const simulated = await startSimulated(ALONE)
  const { simulator, receiver } = simulated
  simulator.answerByHand({ from: SARA, isByHand: true })
  await simulated.send(orderReadyTo(SARA))
  await simulator.idle()
  simulator.readChat({ from: SARA, phoneNumberId: NUMBER.phoneNumberId })
  await simulator.idle()
  expect(receiver.messages()).toEqual([])
  simulator.tapButton({ from: SARA, buttonIndex: 1 })
  simulator.answerByHand({ from: SARA, isByHand: false })
  await simulator.idle()
  expect(receiver.messages()).toMatchObject([{ button: { text: 'Later' } }])
})

test('one switch is for every phone, also those that are not known yet; back again, they answer', async () => {
  const simulated = await startSimulated(ALONE)
  const { simulator } = simulated
  expect(await view(simulated, 'phones')).toMatchObject({
    canAnswerAlone: true,
    isEverybodyByHand: false,
  })
  await act(simulated, { action: 'answerByHand', from: null, isByHand: true })
  expect(await view(simulated, 'phones')).toMatchObject({ isEverybodyByHand: true })
  await simulated.send(orderReadyTo(SARA))
  await simulated.send(orderReadyTo('+44 7700 900123'))
  await simulator.idle()
  expect(tapped(simulated)).toEqual([])
  await act(simulated, { action: 'answerByHand', from: null, isByHand: false })
  await simulated.send(orderReadyTo(OMAR))
  await simulator.idle()
  expect(tapped(simulated)).toEqual([OMAR])
})

test('whoever takes the phone while the customer still looks at the message is not forestalled', async () => {
  const simulated = await startSimulated({ autoReply: { afterMs: 100 } })
  const { simulator } = simulated
  await simulated.send(orderReadyTo(SARA))
  await expect.poll(() => simulator.messages()[0]?.status, { interval: 5 }).toBe('read')
  simulator.answerByHand({ from: SARA, isByHand: true })
  await simulator.idle()
  expect(tapped(simulated)).toEqual([])
})

test('the switches are there again after a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wasla-simulator-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const options = { ...ALONE, journalFile: join(folder, 'journal.jsonl') }
  const first = await startSimulated(options)
  first.simulator.answerByHand({ from: SARA, isByHand: true })
  first.simulator.answerByHand({ from: null, isByHand: true })
  first.simulator.answerByHand({ from: OMAR, isByHand: true })
  first.simulator.answerByHand({ from: OMAR, isByHand: false })
  await first.simulator.close()
  const second = await startSimulated(options)
  expect(await view(second, 'phones')).toMatchObject({ isEverybodyByHand: true })
  // What it starts with is what it has written anew.
  await second.simulator.close()
  const third = await startSimulated(options)
  third.simulator.answerByHand({ from: null, isByHand: false })
  await third.send(orderReadyTo(SARA))
  await third.send(orderReadyTo(OMAR))
  await third.simulator.idle()
  expect(tapped(third)).toEqual([OMAR])
})

test('where nobody answers by themselves there is nothing to switch', async () => {
  const simulated = await startSimulated()
  expect(await view(simulated, 'phones')).toMatchObject({ canAnswerAlone: false })
  expect(await act(simulated, { action: 'answerByHand', from: 'Sara', isByHand: true })).toBe(409)
})

test('a phone that was known by its number alone has its name from the start on at which it got one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wasla-simulator-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const journalFile = join(folder, 'journal.jsonl')
  const first = await startSimulated({ journalFile })
  await first.send(orderReadyTo('12025550143'))
  first.simulator.addPerson({ number: '12025550144', name: 'Renamed' })
  await first.simulator.close()
  const customers = [
    { number: '12025550143', name: 'Sara' },
    { number: '12025550144', name: 'Omar' },
  ]
  const second = await startSimulated({ journalFile, customers })
  expect(await view(second, chatOf('12025550143'))).toMatchObject({ name: 'Sara' })
  expect(await view(second, chatOf('12025550144'))).toMatchObject({ name: 'Renamed' })
})
