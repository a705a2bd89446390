/** The speed of one number's sends, and their order. */
import { describe, expect, test } from 'vitest'
import { createSendQueues } from '../../src/workers/send-queues.ts'
import { SEND_LIMITS } from '../../src/core/limits/messaging.ts'
import type { ClaimedMessage } from '../../src/modules/messaging/queue-message.ts'
import { waitUntil } from '../support/wait.ts'

const channel = (id: string, isCoexistence = false) => ({ id, type: 'whatsapp', isCoexistence })

let messages = 0
function message(
  companyId: string,
  channelId: string,
  { priority = 3, accountId = companyId } = {},
): ClaimedMessage {
  messages += 1
  return {
    id: `o_${messages}`,
    accountId,
    companyId,
    priority,
    claimId: '',
    channel: channel(channelId),
  }
}

/** Creates send queues whose sends end when the test says so. */
function sendQueuesOf() {
  const sent: { message: ClaimedMessage; end(waitMs?: number): void }[] = []
  let ended = 0
  const sendQueues = createSendQueues({
    onEnd: () => void (ended += 1),
    send: (sending) =>
      new Promise((resolve) => {
        sent.push({ message: sending, end: (waitMs) => resolve(waitMs ?? null) })
      }),
  })
  return {
    sendQueues,
    sent,
    ended: () => ended,
    of: (company: string) => sent.filter((one) => one.message.companyId === company),
  }
}

describe('Companies take turns', () => {
  test('a company with much to send leaves slots for another', () => {
    const { sendQueues, of } = sendQueuesOf()
    for (let number = 0; number < 10; number += 1) {
      sendQueues.take(Array.from({ length: 60 }, () => message('much', `much-${number}`)))
    }
    expect(of('much')).toHaveLength(SEND_LIMITS.maxConcurrentPerAccount)
    sendQueues.take([message('little', 'little')])
    expect(of('little')).toHaveLength(1)
  })

  test('twenty projects of one account leave as many slots as one company does', () => {
    const { sendQueues, sent, of } = sendQueuesOf()
    for (let project = 0; project < 20; project += 1) {
      const ofProject = () => message(`project ${project}`, `of ${project}`, { accountId: 'much' })
      sendQueues.take(Array.from({ length: 40 }, ofProject))
    }
    expect(sent).toHaveLength(SEND_LIMITS.maxConcurrentPerAccount)
    sendQueues.take([message('little', 'little')])
    expect(of('little')).toHaveLength(1)
  })

  test('twenty projects of one account take as much memory as one company does', () => {
    const { sendQueues } = sendQueuesOf()
    for (let project = 0; project < 20; project += 1) {
      const ofProject = () => message(`project ${project}`, `of ${project}`, { accountId: 'much' })
      sendQueues.take(Array.from({ length: 60 }, ofProject))
    }
    expect(sendQueues.full()).toHaveLength(20)
    expect(sendQueues.hasRoom('little')).toBe(true)
  })

  test('one number leaves slots for the company’s others, and its next message begins when one has ended', async () => {
    const { sendQueues, sent } = sendQueuesOf()
    sendQueues.take(Array.from({ length: 70 }, () => message('a', 'slow')))
    expect(sent).toHaveLength(SEND_LIMITS.maxConcurrentPerChannel)
    sendQueues.take([message('a', 'other')])
    expect(sent).toHaveLength(SEND_LIMITS.maxConcurrentPerChannel + 1)
    sent[0]!.end()
    await waitUntil(
      'the next begins',
      () => sent.length === SEND_LIMITS.maxConcurrentPerChannel + 2,
    )
  })

  test('messages of staff go ahead of waiting messages of flows on the number', async () => {
    const { sendQueues, sent } = sendQueuesOf()
    sendQueues.take(Array.from({ length: 70 }, () => message('a', 'busy')))
    const staffs = [message('a', 'busy', { priority: 1 }), message('a', 'busy', { priority: 1 })]
    sendQueues.take(staffs)
    for (const one of sent.slice(0, 2)) one.end()
    await waitUntil('two more begin', () => sent.length === SEND_LIMITS.maxConcurrentPerChannel + 2)
    expect(sent.slice(-2).map((one) => one.message.id)).toEqual(staffs.map(({ id }) => id))
  })

  test('a process claims no more than it has slots for', () => {
    const { sendQueues } = sendQueuesOf()
    const max = SEND_LIMITS.claimedPerChannel + SEND_LIMITS.maxConcurrentPerChannel
    sendQueues.take(Array.from({ length: max }, () => message('a', 'one')))
    expect(sendQueues.hasRoom('one')).toBe(false)
    expect(sendQueues.full()).toEqual(['one'])
    expect(sendQueues.hasRoom('another')).toBe(true)
  })

  test('a process has a limit when no provider answers', () => {
    const { sendQueues, sent } = sendQueuesOf()
    for (let company = 0; company < 20; company += 1) {
      sendQueues.take(Array.from({ length: 30 }, () => message(`c${company}`, `n${company}`)))
    }
    expect(sent).toHaveLength(SEND_LIMITS.maxConcurrent)
  })
})

test('A message above its number’s limit is sent later, in order, without delaying other numbers', async () => {
  const { sendQueues, sent, ended } = sendQueuesOf()
  const [first, second] = [message('a', 'full'), message('a', 'full')]
  sendQueues.take([first, second])
  for (const { end } of sent.splice(0).toReversed()) end(50)
  await waitUntil('both have come back', () => ended() === 2)
  const [third, other] = [message('a', 'full'), message('a', 'other')]
  sendQueues.take([third, other])
  expect(sent.splice(0).map((one) => one.message)).toEqual([other])
  expect(sendQueues.claimed()).toBe(4)
  await waitUntil('the number has room', () => sent.length > 0)
  expect(sent.map((one) => one.message)).toEqual([first, second, third])
})
