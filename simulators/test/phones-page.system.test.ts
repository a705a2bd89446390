/** The phones page in a real browser: a person who writes as a customer replaces the automatic answers. */
import { afterAll, expect, test } from 'vitest'
import { startBrowser } from '../../test/support/browser.ts'
import { NUMBER } from './business.ts'
import { CUSTOMER as SARA, orderReadyTo, startSimulated } from './simulated.ts'

const browser = await startBrowser()
afterAll(() => browser.close())

test('once something is written as a customer, nothing is tapped for them', async () => {
  const simulated = await startSimulated({ autoReply: true })
  const { simulator, receiver } = simulated
  simulator.addPerson({ number: SARA, name: 'Sara' })
  const page = await browser.newPage()
  await page.goto(simulator.pageUrl)
  await page.getByRole('button', { name: /Sara/ }).click()
  await page.getByLabel('Customer’s message').fill('Hello')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page
    .getByRole('checkbox', { name: /I play .*Sara/ })
    .and(page.locator(':checked'))
    .waitFor()
  await expect.poll(() => receiver.messages().length).toBe(1)
  await simulated.send(orderReadyTo(SARA))
  await simulator.idle()
  expect(receiver.messages()).toHaveLength(1)
  await page.close()
})

test('a customer changes number, shared or not, gives it away, and the business moves to another portfolio', async () => {
  const { simulator, receiver } = await startSimulated()
  simulator.addPerson({ number: SARA, name: 'Sara' })
  const page = await browser.newPage()
  await page.goto(simulator.pageUrl)
  await page.getByRole('button', { name: /Sara/ }).click()
  const says = async (text: string) => {
    await page.getByLabel('Customer’s message').fill(text)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect.poll(() => receiver.messages().at(-1)).toMatchObject({ text: { body: text } })
    return receiver.messages().at(-1)!
  }
  /** Presses a button, and waits for the webhook of this type. */
  const changes = async (button: string, type: string) => {
    await page.getByRole('button', { name: button, exact: true }).click()
    await expect.poll(() => receiver.messages().at(-1)).toMatchObject({ system: { type } })
    await page
      .getByText('(number hidden)')
      .or(page.getByText(/^\+\d+ {2}· /))
      .waitFor()
    return receiver.messages().at(-1)!.system as Record<string, string>
  }
  const { from_user_id: first } = await says('Hello')
  const shared = await changes('Change number', 'user_changed_number')
  expect(shared).toMatchObject({ previous_user_id: first })
  expect(await says('It is me')).toMatchObject({
    from: shared.wa_id,
    from_user_id: shared.user_id,
  })
  await page.getByRole('button', { name: 'Give number to a stranger' }).click()
  await page.getByRole('heading', { name: /^Customer/ }).waitFor()
  const stranger = await says('Who is this?')
  expect(stranger.from).toBe(shared.wa_id)
  expect([first, shared.user_id]).not.toContain(stranger.from_user_id)
  const hidden = await changes('Change number, not shared', 'user_changed_user_id')
  expect(hidden).toMatchObject({ previous_user_id: stranger.from_user_id })
  expect(await says('Me again')).toMatchObject({ from_user_id: hidden.user_id })
  await page.getByRole('button', { name: 'Move to another portfolio' }).click()
  await page
    .getByText(`Business account ${NUMBER.businessAccountId}`)
    .waitFor({ state: 'detached' })
  expect((await says('Hello there')).from_user_id).not.toBe(hidden.user_id)
  expect(receiver.received.at(-1)!.json.entry[0]!.id).not.toBe(NUMBER.businessAccountId)
  await page.close()
})
