import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { HOUR_MS } from '../../src/core/limits/units.ts'
import { NUMBER, TEMPLATES } from './business.ts'
import { CUSTOMER, orderReadyTo, startSimulated, temporaryJournal, textTo } from './simulated.ts'
import { NODE_COMPILE_CACHE } from '../../test/support/compile-cache.ts'
import { systemTest } from '../../test/support/system-tests.ts'

test('chats, windows and templates are there again after a start', async () => {
  const journalFile = temporaryJournal()
  const first = await startSimulated({ journalFile })
  await first.send(orderReadyTo(CUSTOMER, { biz_opaque_callback_data: 'msg-1' }))
  first.simulator.sendText({ from: '+44 7700 900123', text: 'Hello' })
  first.simulator.hideNumber({ from: CUSTOMER, isHidden: true })
  const { businessAccountId } = NUMBER
  const plain = { businessAccountId, name: 'plain', language: 'ar' }
  first.simulator.changeTemplate({ ...plain, status: 'DISABLED' })
  await first.simulator.idle()
  await first.simulator.close()

  const second = await startSimulated({ journalFile })
  second.clock.forwardMs(HOUR_MS)
  expect(second.simulator.messages()).toEqual(first.simulator.messages())
  expect((await second.send(textTo('447700900123'))).status).toBe(200)
  await second.simulator.idle()
  expect(second.simulator.messages().at(-1)).toMatchObject({ status: 'delivered' })
  const { json } = await second.graph(`${businessAccountId}/message_templates?status=DISABLED`)
  expect(json.data).toMatchObject([{ name: 'plain' }])
  // Webhooks that were answered are not sent again.
  const recipients = second.receiver.statuses().map(({ recipient_id }) => recipient_id)
  expect(recipients).toEqual(['447700900123', '447700900123'])
  expect(statSync(journalFile).mode & 0o777).toBe(0o600)
  expect(readFileSync(journalFile, 'utf8')).not.toContain(NUMBER.accessToken)
})

test('webhooks without a successful response go out after the next start, in order', async () => {
  const journalFile = temporaryJournal()
  const first = await startSimulated({ journalFile, webhooks: { attempts: 1 } })
  first.receiver.answers.push(500, 500, 500)
  for (const word of ['one', 'two', 'three']) {
    first.simulator.sendText({ from: CUSTOMER, text: word })
  }
  await first.simulator.idle()
  await first.simulator.close()

  const second = await startSimulated({ journalFile })
  await second.simulator.idle()
  expect(second.receiver.messages()).toEqual(first.receiver.messages())
})

test('webhooks of a number that is added later wait for it', async () => {
  const journalFile = temporaryJournal()
  const first = await startSimulated({ journalFile, stepMs: 60_000 })
  await first.send(orderReadyTo(CUSTOMER))
  await first.simulator.close()

  const second = await startSimulated({ journalFile, numbers: [] })
  await second.simulator.idle()
  expect(second.receiver.received).toEqual([])
  second.simulator.addNumber({ ...NUMBER, webhookUrl: second.receiver.url, templates: TEMPLATES })
  await second.simulator.idle()
  expect(second.receiver.statuses().map(({ status }) => status)).toEqual(['sent', 'delivered'])
})

systemTest('killed at any moment, it has lost nothing that it answered', async () => {
  const journalFile = temporaryJournal()
  const path = fileURLToPath(new URL('simulator-process.ts', import.meta.url))
  // No server listens at this address: all webhooks are still pending when the process is killed.
  const child = spawn(process.execPath, [path, journalFile, 'http://127.0.0.1:9/'], {
    env: { ...process.env, NODE_COMPILE_CACHE },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const url = `${line.toString().trim()}/v23.0/${NUMBER.phoneNumberId}/messages`
  const ids: string[] = []
  for (let n = 0; n < 25; n += 1) {
    const reference = { biz_opaque_callback_data: `msg-${n}` }
    const answer = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${NUMBER.accessToken}` },
      body: JSON.stringify(orderReadyTo(CUSTOMER, reference)),
    })
    const json = (await answer.json()) as { messages: { id: string }[] }
    ids.push(json.messages[0]!.id)
  }
  child.kill('SIGKILL')
  await once(child, 'exit')
  // The last line is incomplete, as after a crash.
  appendFileSync(journalFile, '[{"kind":"message","mess')

  const lines: string[] = []
  const after = await startSimulated({ journalFile, log: (text) => lines.push(text) })
  expect(after.simulator.messages().map(({ wamid }) => wamid)).toEqual(ids)
  expect(lines).toEqual([expect.stringContaining('(lines: 1)')])
  await after.simulator.idle()
  for (const status of ['sent', 'delivered']) {
    const statuses = after.receiver.statuses().filter((item) => item.status === status)
    expect(new Set(statuses.map(({ id }) => id))).toEqual(new Set(ids))
  }
})

test('a file that is something else is left alone', async () => {
  const journalFile = temporaryJournal()
  mkdirSync(dirname(journalFile))
  writeFileSync(journalFile, 'my notes\n')
  await expect(startSimulated({ journalFile })).rejects.toThrow('is not a journal')
  expect(readFileSync(journalFile, 'utf8')).toBe('my notes\n')
})
