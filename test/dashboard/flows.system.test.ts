/** Flows drawn in a real browser: as a list, by two at once, by who may only look, in Arabic. Spec: Flows › Steps. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FlowDetail, FlowView } from '../../src/contract/dashboard/flow.ts'
import type { Page as ListPage } from '../../src/contract/dashboard/page.ts'
import { findBarriers, overflowOf } from '../support/browser.ts'
import { openDashboard, type DashboardOptions } from '../support/dashboard-page.ts'
import type { Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'

let world: World
let shop: Shop

beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
})
afterAll(async () => {
  await world.close()
})

const open = (options: Partial<DashboardOptions> = {}) =>
  openDashboard(world, { ...shop, ...options }).then((opened) => {
    opened.page.setDefaultTimeout(8_000)
    return opened
  })

const flows = () => `/companies/${shop.companyId}/flows`

async function flowNamed(member: Member, name: string): Promise<FlowDetail> {
  const list = (await member.ask<ListPage<FlowView>>('GET', `${flows()}?limit=100`)).body
  const { id } = list.items.find((flow) => flow.name === name)!
  return (await member.ask<FlowDetail>('GET', `${flows()}/${id}`)).body
}

/** A draft of one step. */
const noteSaying = (text: string) => ({
  channelId: shop.channelId,
  trigger: { kind: 'manual' },
  start: 'note',
  steps: { note: { kind: 'note', text, next: null } },
})

const saved = (page: Page) =>
  page
    .getByText(/^Draft saved/)
    .first()
    .waitFor()

test('as a list: arrows move, + adds, Enter opens, Delete removes, Ctrl Z takes back', async () => {
  const { page, close, member, go } = await open()
  await go(`flows/${shop.flowId}?view=list`)
  const at = (name: string) => page.getByRole('treeitem', { name })
  await at('Trigger').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => at('Wait for reply').evaluate(isFocused)).toBe(true)
  await page.keyboard.press('+')
  await page.getByRole('complementary', { name: 'Add a step' }).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type('note')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('complementary', { name: /^Leave a note/ }).waitFor()
  await page.getByRole('complementary').getByLabel('Text').focus()
  await page.keyboard.type('Told of the order')
  await saved(page)
  expect((await flowNamed(member, 'Order is ready')).draft!.definition.steps).toMatchObject({
    tell: { next: 'note' },
    note: { text: 'Told of the order', next: 'ask' },
  })
  await page.keyboard.press('Escape')
  await at('Leave a note').focus()
  await page.keyboard.press('Delete')
  await expect.poll(() => at('Leave a note').count()).toBe(0)
  await at('Send template').focus()
  await page.keyboard.press('Control+z')
  await at('Leave a note').waitFor()
  await close()
})

/** In the page. */
const isFocused = (element: { ownerDocument: { activeElement: object | null } | null }) =>
  element === element.ownerDocument?.activeElement

test('what is pressed below a text is hit, though the values to insert go away with the focus', async () => {
  const { page, close, member, go } = await open()
  const draft = {
    channelId: shop.channelId,
    trigger: { kind: 'manual' },
    start: 'ask',
    steps: {
      ask: {
        kind: 'ask',
        text: 'When?',
        answer: 'text',
        saveAs: 'day',
        timeoutMinutes: 60,
        next: null,
        onTimeout: null,
      },
    },
  }
  const made = await member.ask<FlowDetail>('POST', flows(), { name: 'Pressed', draft })
  await go(`flows/${made.body.id}?step=ask`)
  const panel = page.getByRole('complementary')
  await panel.getByLabel('Question').click()
  await panel.getByRole('button', { name: /Insert .contact\.name/ }).waitFor()
  await panel.getByLabel('Expects').click()
  await page.getByRole('option', { name: 'A date' }).click()
  expect(await panel.getByRole('button', { name: /Insert .contact\.name/ }).count()).toBe(0)
  await close()
})

test('two who draw one flow are told of each other, and either draft can go on', async () => {
  const { page, close, member, go } = await open()
  const draft = noteSaying('mine')
  const { id } = (await member.ask<FlowDetail>('POST', flows(), { name: 'Of two', draft })).body
  await go(`flows/${id}?step=note`)
  world.clock.advance(1_000)
  const theirs = noteSaying('theirs')
  expect((await member.ask('PUT', `${flows()}/${id}/draft`, theirs)).status).toBe(200)
  const text = page.getByRole('complementary').getByLabel('Text')
  await text.fill('mine, changed')
  await page.getByText('Somebody else saved another draft of this flow meanwhile.').waitFor()
  await page.getByRole('button', { name: 'Go on with theirs' }).click()
  await expect.poll(() => text.inputValue()).toBe('theirs')
  await text.fill('both')
  await saved(page)
  expect((await flowNamed(member, 'Of two')).draft!.definition.steps).toMatchObject({
    note: { text: 'both' },
  })
  await close()
})

test("a draft goes over somebody else's by choice alone, and is left unsaved by choice alone", async () => {
  const { page, close, member, go } = await open()
  const draft = noteSaying('mine')
  const { id } = (await member.ask<FlowDetail>('POST', flows(), { name: 'Left', draft })).body
  const there = async () => (await flowNamed(member, 'Left')).draft!.definition.steps
  await go(`flows/${id}?step=note`)
  world.clock.advance(1_000)
  const theirs = noteSaying('theirs')
  expect((await member.ask('PUT', `${flows()}/${id}/draft`, theirs)).status).toBe(200)
  const text = page.getByRole('complementary').getByLabel('Text')
  await text.fill('mine, changed')
  await page.getByText('Somebody else saved another draft of this flow meanwhile.').waitFor()
  await text.fill('mine, changed again')
  const leave = page.getByRole('dialog', { name: 'Leave without saving?' })
  await page.getByRole('link', { name: 'Flows' }).first().click()
  await leave.getByRole('button', { name: 'Stay here' }).click()
  await leave.waitFor({ state: 'detached' })
  expect(await text.inputValue()).toBe('mine, changed again')
  expect(await there()).toMatchObject({ note: { text: 'theirs' } })
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await saved(page)
  expect(await there()).toMatchObject({ note: { text: 'mine, changed again' } })

  await page.route('**/draft?*', (route) => route.abort())
  await text.fill('never saved')
  await page.getByRole('link', { name: 'Flows' }).first().click()
  expect(await findBarriers(page)).toEqual([])
  await leave.getByRole('button', { name: 'Leave without saving' }).click()
  await page.waitForURL(/\/flows$/)
  expect(await there()).toMatchObject({ note: { text: 'mine, changed again' } })
  await page.unroute('**/draft?*')
  await close()
})

test('a page with a change that is not saved is not closed without a question', async () => {
  const { page, close, member, go } = await open()
  const made = { name: 'Unsaved', draft: noteSaying('first') }
  const { id } = (await member.ask<FlowDetail>('POST', flows(), made)).body
  await go(`flows/${id}?step=note`)
  const asked: string[] = []
  page.on('dialog', (dialog) => void (asked.push(dialog.type()), dialog.accept()))
  await page.route('**/draft?*', (route) => route.abort())
  await page.getByRole('complementary').getByLabel('Text').fill('second')
  await page.getByRole('button', { name: 'Save again' }).waitFor()
  await page.reload()
  expect(asked).toEqual(['beforeunload'])
  await page.getByRole('complementary').waitFor()
  await page.reload()
  expect(asked).toHaveLength(1)
  await close()
})

test('who writes on and publishes while a save is under way saves once more, and is told of nobody else', async () => {
  const { page, close, member, go } = await open()
  const draft = noteSaying('first')
  const { id } = (await member.ask<FlowDetail>('POST', flows(), { name: 'Slow', draft })).body
  await go(`flows/${id}?step=note`)
  world.clock.advance(1_000)
  const saves: (() => Promise<void>)[] = []
  await page.route('**/draft?*', (route) => void saves.push(() => route.continue()))
  const text = page.getByRole('complementary').getByLabel('Text')
  await text.fill('second')
  await expect.poll(() => saves.length).toBe(1)
  await text.fill('third')
  // Each asks for a save, and waits for the one that is under way.
  await page.getByRole('button', { name: /^Publish/ }).dblclick()
  world.clock.advance(1_000)
  await saves[0]!()
  await expect.poll(() => saves.length).toBe(2)
  world.clock.advance(1_000)
  await saves[1]!()
  await page.getByRole('dialog').waitFor()
  expect(saves).toHaveLength(2)
  expect(await page.getByText('Somebody else saved').count()).toBe(0)
  expect((await flowNamed(member, 'Slow')).draft!.definition.steps).toMatchObject({
    note: { text: 'third' },
  })
  await close()
})

test('an Agent sees flows, and has no act that changes one', async () => {
  const { page, close, go } = await open({ role: 'agent' })
  await go('flows')
  await page.getByRole('link', { name: 'Order is ready' }).waitFor()
  expect(await page.getByRole('button', { name: 'New flow' }).count()).toBe(0)
  expect(await page.getByRole('switch').count()).toBe(0)
  await go(`flows/${shop.flowId}?step=ask`)
  await page.getByText('Only an Owner or Admin can change flows').waitFor()
  for (const name of [/^Publish/, 'Add a step here', 'Delete', 'Undo']) {
    expect(await page.getByRole('button', { name }).count()).toBe(0)
  }
  await close()
})

const SCRIPT = `"><img src=x onerror="document.title='taken'"><script>document.title='taken'</script>`

test('what merchants and strangers wrote is shown as text', async () => {
  const { page, close, member, faults, go } = await open()
  const draft = {
    channelId: shop.channelId,
    trigger: { kind: 'keyword', words: [SCRIPT.slice(0, 90)] },
    start: 'say',
    steps: {
      say: { kind: 'send_message', text: SCRIPT, next: 'ask' },
      ask: {
        kind: 'ask',
        text: SCRIPT,
        answer: 'choice',
        options: [{ value: 'a', label: SCRIPT.slice(0, 100), next: null }],
        saveAs: null,
        timeoutMinutes: 5,
        next: null,
        onTimeout: null,
      },
    },
  }
  const name = SCRIPT.slice(0, 70)
  const { id } = (await member.ask<FlowDetail>('POST', flows(), { name, draft })).body
  for (const path of [`flows`, `flows/${id}?step=ask`, `flows/${id}?view=list&step=say`]) {
    await go(path)
    await page.getByText(name).first().waitFor()
    expect(await page.title()).not.toBe('taken')
    expect(await page.locator('main img').count()).toBe(0)
  }
  expect(faults).toEqual([])
  await close()
})

test('in Arabic the tree reads from the right, and the same can be done', async () => {
  const { page, close, faults, go } = await open({ language: 'ar' })
  await go(`flows/${shop.flowId}?step=ask`)
  const middleOf = async (name: string) => {
    const box = (await page
      .locator('.react-flow')
      .getByText(name, { exact: true })
      .first()
      .boundingBox())!
    return box.x + box.width / 2
  }
  await page.getByText('رد العميل').first().waitFor()
  expect(await middleOf('رد العميل')).toBeGreaterThan(await middleOf('لا رد في الوقت'))
  await page.getByRole('button', { name: 'إضافة خطوة هنا' }).first().click()
  await page.getByRole('button', { name: 'إرسال رسالة' }).waitFor()
  // Before its template a flow that a system starts says nothing else.
  expect(await page.getByRole('button', { name: 'إرسال رسالة' }).isDisabled()).toBe(true)
  expect(faults).toEqual([])
  await close()
})

test.each(['en', 'ar'] as const)('has no barriers and fits its window: %s', async (language) => {
  const { page, close, go } = await open({ language })
  for (const path of [
    'flows',
    `flows/${shop.flowId}?step=tell`,
    `flows/${shop.flowId}?step=trigger&view=list`,
    `flows/${shop.flowId}?versions=true`,
    `flows/${shop.flowId}/hook`,
  ]) {
    await go(path)
    expect([path, await findBarriers(page)]).toEqual([path, []])
    expect([path, await overflowOf(page)]).toEqual([path, 0])
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await go(`flows/${shop.flowId}`)
  await page.getByRole('tree').waitFor()
  expect(await overflowOf(page)).toBe(0)
  await close()
})
