/** Models in a real browser: added with a test, ordered, mended, and who answers without any. Spec: Assistant › Models. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { OperatorModel } from '../../src/models/model-access.ts'
import { addModel, askAs } from '../models/models-world.ts'
import { findBarriers, overflowOf } from '../support/browser.ts'
import { openDashboard, type DashboardOptions } from '../support/dashboard-page.ts'
import { call, refuse, say } from '../support/model-turns.ts'
import { startModelServer, type ModelServer } from '../support/model-server.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'

const KEY = 'sk-live-never-shown-1234'

let world: World
let shop: Shop
let server: ModelServer
let operator: OperatorModel | null = null
beforeAll(async () => {
  world = await createWorld({ operatorModel: () => operator })
  const { key, cert } = world.receiver.authority
  server = await startModelServer({ tls: { key, cert } })
})
afterAll(async () => {
  await server.close()
  await world.close()
})
let shops = 0
beforeEach(async () => {
  const number = String(++shops)
  shop = await createShop(world, { phoneNumberId: number, businessAccountId: number })
  server.otherwise = call('read_line', { line: 7 })
  operator = null
})

const open = (options: Partial<DashboardOptions> = {}) =>
  openDashboard(world, { ...shop, ...options })

test('a model is refused, added, tested and deleted; the host that gets customers’ texts is named', async () => {
  const { page, close, faults, go } = await open()
  await go('assistant/models')
  await page.getByText('No model: the assistant is off, staff answers').waitFor()
  const add = async (name: string) => {
    await page.getByRole('link', { name: 'New model' }).click()
    await page.getByRole('combobox', { name: 'Kind' }).click()
    await page.getByRole('option', { name: 'Speaks as OpenAI does' }).click()
    await page.getByLabel('Name of the model').fill(name)
    await page.getByLabel('Base URL').fill(server.baseUrl)
    await page.getByLabel('Key', { exact: true }).fill(KEY)
    await page.getByRole('button', { name: 'Test and add' }).click()
  }
  server.script(say('No tool.'))
  await add('small')
  await page.getByText(/did not use the tool/).waitFor()
  await page.getByRole('button', { name: 'Test and add' }).click()
  await page.getByRole('link', { name: 'small' }).waitFor()
  const { host } = new URL(server.baseUrl)
  await page.getByText(host).waitFor()
  await add('large')
  await page.getByRole('button', { name: /Move .*large.* up/ }).click()
  await page.locator('tbody tr').first().getByText('large').waitFor()

  await page.getByRole('link', { name: 'small' }).click()
  await page.getByText(/Customers’ messages are sent to/).waitFor()
  await page.getByText(/ending with .*1234/).waitFor()
  await page.getByRole('button', { name: 'Ask the test question' }).click()
  await page.getByText(/It used the tool/).waitFor()
  await page.getByRole('button', { name: 'Switch off' }).click()
  await page.getByText('Switched off').waitFor()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('link', { name: 'large' }).waitFor()
  await page.getByRole('link', { name: 'small' }).waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(KEY)
  expect(faults).toEqual([])
  await close()
})

test('a model that does not let us in says so, in Arabic, until a test mends it', async () => {
  const { page, close, go } = await open({ language: 'ar' })
  await addModel(world, { accountId: shop.accountId, baseUrl: server.baseUrl, modelName: 'one' })
  server.script(refuse(401))
  await askAs(world, shop.accountId)
  await go('assistant/models')
  await page.getByText('لا يُسأل').waitFor()
  await page.getByRole('link', { name: 'one' }).click()
  await page.getByText(/لا يقبل خادم النموذج المفتاح/).waitFor()
  await page.getByRole('button', { name: 'اسأل سؤال الاختبار' }).click()
  await page.getByText(/استخدم الأداة/).waitFor()
  await go('assistant/models')
  await page.getByText('مفعّل', { exact: true }).waitFor()
  expect(await overflowOf(page)).toBe(0)
  expect(await findBarriers(page)).toEqual([])
  await close()
})

test('the scripted stand-in of the demonstration is called what it is; the Owner lowers the allowance', async () => {
  operator = {
    kind: 'openai_compatible',
    modelName: 'scripted (no language model)',
    baseUrl: 'http://127.0.0.1:9',
    key: null,
    isScripted: true,
  }
  const { page, close, go } = await open()
  await go('assistant/models')
  await page.getByText('It is no language model').waitFor()
  await page.getByLabel('At most a day').fill('5000')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/of .?5,000/).waitFor()
  expect(await overflowOf(page)).toBe(0)
  expect(await findBarriers(page)).toEqual([])
  await close()
})
