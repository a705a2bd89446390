/** A broken endpoint is repaired until its events arrive, and a new secret is used until a signature is checked, in both languages. Spec: Deliveries › Tests and resends; Deliveries › Secrets; Deliveries › Signature. */
import { expect, test } from 'vitest'
import { appWords } from '../../src/dashboard/frame/words.ts'
import { developerToolsWords } from '../../src/dashboard/developer-tools/words.ts'
import { secretDialogWords } from '../../src/dashboard/parts/words-secret-dialog.ts'
import { partsWords } from '../../src/dashboard/parts/words.ts'
import { deliveryWords } from '../../src/dashboard/webhooks/words-delivery.ts'
import { endpointWords } from '../../src/dashboard/webhooks/words-endpoint.ts'
import { jobWords } from '../../src/dashboard/webhooks/words-jobs.ts'
import { logWords } from '../../src/dashboard/webhooks/words-log.ts'
import { secretWords } from '../../src/dashboard/webhooks/words-secret.ts'
import { webhooksWords } from '../../src/dashboard/webhooks/words.ts'
import { LANGUAGES } from '../../src/core/vocabulary/hooks.ts'
import { giveUp } from '../support/deliveries.ts'
import { openDashboard, firstOf, findFlaws } from '../support/dashboard-page.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { within } from '../support/spoken.ts'
import { openWorld } from '../support/open-world.ts'
import { follow, press, sees } from '../support/page-steps.ts'

const world = await openWorld()

async function newShop(): Promise<Shop> {
  world.receiver.answerWith(204)
  const key = world.service.context.ids.token(6)
  return createShop(world, { phoneNumberId: key, businessAccountId: key })
}

test.each(LANGUAGES)('a broken endpoint is repaired, and events resent: %s', async (language) => {
  const shop = await newShop()
  await giveUp(world, shop, 3)
  const { page, say } = await openDashboard(world, { ...shop, language, at: '' })
  // The mark on its link says that an endpoint fails.
  const marked = page.getByRole('link', { name: within(say(appWords, 'webhooks')) }).first()
  await marked.getByRole('img', { name: say(appWords, 'endpoint_fails') }).waitFor()
  await marked.click()
  await page.getByText(say(webhooksWords, 'failing'), { exact: true }).waitFor()
  await sees(page, say(webhooksWords, 'in_row_of', { n: 24, limit: 100 }))
  await page.getByRole('table').getByRole('link').first().click()
  await page.getByRole('link', { name: say(endpointWords, 'see_failures', { n: 24 }) }).waitFor()
  await page
    .getByRole('link', { name: say(endpointWords, 'deliveries') })
    .last()
    .click()
  await follow(page, new RegExp(`^${logWords[language].view_gave_up}`))
  await page.waitForURL('**view=gave_up**')
  const rows = page.getByRole('table', { name: say(logWords, 'list') }).locator('tbody tr')
  await expect.poll(() => rows.filter({ hasText: '503' }).count()).toBe(3)

  await rows.getByRole('link', { name: 'ping' }).first().click()
  await page.getByRole('heading', { name: 'ping' }).waitFor()
  const attempts = page
    .getByRole('list', { name: say(deliveryWords, 'attempts') })
    .getByRole('listitem')
  await expect.poll(() => attempts.count()).toBe(8)
  await sees(attempts.last(), say(deliveryWords, 'what_to_do'))
  await page.goBack()

  world.receiver.answerWith(204)
  const before = world.receiver.received.length
  await press(page, say(logWords, 'resend_all'))
  const dialog = page.getByRole('dialog', { name: say(jobWords, 'ask_resend', { n: 3 }) })
  const act = dialog.getByRole('button', { name: say(jobWords, 'act_resend') })
  await act.waitFor()
  expect(await findFlaws(page)).toEqual([])
  await act.click()
  await page.waitForURL('**/webhooks/jobs/*')
  await world.service.processAll()
  await page.getByText(say(jobWords, 'done'), { exact: true }).waitFor()
  await sees(page, say(jobWords, 'sent_of', { n: 3, limit: 3 }))
  // The event arrived at the merchant's server, and the log says the same.
  expect(world.receiver.received.slice(before).map(({ event }) => event.type)).toEqual([
    'ping',
    'ping',
    'ping',
  ])
  await follow(page, say(jobWords, 'see_made'))
  await expect.poll(() => rows.getByText(say(logWords, 'delivered')).count()).toBe(3)
})

test.each(LANGUAGES)('an endpoint gets a new secret, which signs: %s', async (language) => {
  const shop = await newShop()
  const { page, member, say } = await openDashboard(world, { ...shop, language, at: 'webhooks' })
  await follow(page, say(webhooksWords, 'add'))
  expect(await page.getByRole('img', { name: say(appWords, 'endpoint_fails') }).count()).toBe(0)
  const add = page.getByRole('button', { name: say(webhooksWords, 'add') })
  await page.getByLabel(say(webhooksWords, 'name')).fill('نظام الطلبات')
  await page.getByLabel(say(webhooksWords, 'url')).fill('http://localhost:3000')
  await add.click()
  await sees(page, say(webhooksWords, 'not_https'), say(partsWords, 'things_to_fix', { n: 1 }))
  await page.getByLabel(say(webhooksWords, 'url')).fill(`${world.receiver.url}/orders`)
  await add.click()

  const shown = page.getByRole('dialog').filter({ hasText: 'whsec_' })
  await shown.waitFor()
  const done = shown.getByRole('button', { name: say(partsWords, 'close') })
  const secret = () => shown.locator('code').first().innerText()
  const old = await secret()
  expect(await done.isDisabled()).toBe(true)
  await page.keyboard.press('Escape')
  expect(await shown.isVisible()).toBe(true)
  expect(await findFlaws(page)).toEqual([])
  await shown.getByLabel(say(secretDialogWords, 'secret_stored')).check()
  await done.click()

  const testing = page.getByRole('dialog', { name: say(secretWords, 'test_title') })
  await press(testing, say(secretWords, 'test_send'))
  await sees(testing, say(secretWords, 'test_delivered', { status: '204' }))
  expect(await findFlaws(page)).toEqual([])
  await page.keyboard.press('Escape')

  await press(page, say(secretWords, 'rotate'))
  const asked = page.getByRole('dialog', { name: say(secretWords, 'rotate_ask') })
  await press(asked, say(secretWords, 'rotate_act'))
  await shown.waitFor()
  const rotated = await secret()
  await press(shown, say(partsWords, 'copy'))
  await done.click()
  await sees(page, say(secretWords, 'two_sign'))

  // An event occurs that both secrets sign.
  await member.ask('POST', `/companies/${shop.companyId}/contacts`, { name: 'Noura' })
  await world.service.processAll()
  const { headers, body } = world.receiver.received.findLast(({ path }) =>
    path.endsWith('/orders'),
  )!
  await firstOf(page, 'link', say(appWords, 'developer_tools')).click()
  const words = developerToolsWords
  await page.getByLabel(say(words, 'body')).fill(body.toString('utf8'))
  await page
    .getByLabel(say(words, 'header', { name: 'X-Service-Signature' }))
    .fill(headers['x-service-signature']!)
  const check = async (given: string) => {
    await page.getByLabel(say(words, 'secrets')).fill(given)
    await press(page, say(words, 'check'))
  }
  await check('whsec_of-somebody-else')
  await sees(page, say(words, 'no_match_now'))
  for (const known of [rotated, old]) {
    await check(known)
    await sees(page, say(words, 'valid'))
  }
  await page.goBack()
  await press(page, say(secretWords, 'stop_old'))
  const stopping = page.getByRole('dialog', { name: say(secretWords, 'stop_ask') })
  await press(stopping, say(secretWords, 'stop_act'))
  await sees(page, say(secretWords, 'one_signs'))
})
