/** Flows drawn in a real browser: as a list, by two members concurrently, by members who may only look, in Arabic; whole flows and branches copied, duplicated and deleted. Spec: Flows › Steps; Flows › Drafts and versions. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { FlowDetail, FlowView } from '../../src/contract/dashboard/flow.ts'
import type { Page as ListPage } from '../../src/contract/dashboard/page.ts'
import { dashboardOf, findFlaws, HOSTILE, openDashboard } from '../support/dashboard-page.ts'
import type { Member } from '../support/dashboard.ts'
import { createOwnShop, createShop } from '../support/shop.ts'
import { openWorld } from '../support/open-world.ts'
import { builderWords } from '../../src/dashboard/flows/words-builder.ts'
import { stepWords } from '../../src/dashboard/flows/words-steps.ts'
import { flowsWords } from '../../src/dashboard/flows/words.ts'
import { type Language, LANGUAGES } from '../../src/core/vocabulary/hooks.ts'
import { postHook } from '../support/post-hook.ts'
import { follow, pick, press, sees } from '../support/page-steps.ts'

const world = await openWorld()
const shop = await createShop(world)

const open = dashboardOf(world, shop)

const flowsOf = ({ companyId }: { companyId: string }) => `/companies/${companyId}/flows`
const flows = flowsOf(shop)

async function flowNamed(member: Member, name: string, of = flows): Promise<FlowDetail> {
  const list = (await member.ask<ListPage<FlowView>>('GET', `${of}?limit=100`)).body
  const { id } = list.items.find((flow) => flow.name === name)!
  return (await member.ask<FlowDetail>('GET', `${of}/${id}`)).body
}

/** Opens a new flow at one of its steps. */
async function openDrawn(name: string, draft: Record<string, unknown>, step: string) {
  const opened = await open()
  const { id } = (await opened.member.ask<FlowDetail>('POST', flows, { name, draft })).body
  await opened.go(`flows/${id}?step=${step}`)
  const steps = async () => (await flowNamed(opened.member, name)).draft!.definition.steps
  /** Saves a draft as a colleague meanwhile. */
  const saveTheirs = async () => {
    world.clock.advance(1_000)
    const saved = await opened.member.ask('PUT', `${flows}/${id}/draft`, noteSaying('theirs'))
    expect(saved.status).toBe(200)
  }
  const text = opened.page.getByRole('complementary').getByLabel('Text')
  return { ...opened, id, text, steps, saveTheirs }
}

/** A draft of one step. */
const noteSaying = (text: string) => ({
  channelId: shop.channelId,
  trigger: { kind: 'manual' },
  start: 'note',
  steps: { note: { kind: 'note', text, next: null } },
})

const ASK = { kind: 'ask', saveAs: null, timeoutMinutes: 60, next: null, onTimeout: null }

const saved = (page: Page) =>
  page
    .getByText(/^Draft saved/)
    .first()
    .waitFor()

test('a flow is drawn as a list: arrows move, + adds, Enter opens, Delete removes, Ctrl Z undoes', async () => {
  const { page, member } = await open({ at: `flows/${shop.flowId}?view=list` })
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
  await page.getByRole('complementary', { name: /^Add note/ }).waitFor()
  await page.getByRole('complementary').getByLabel('Text').focus()
  await page.keyboard.type('Told of the order')
  await saved(page)
  expect((await flowNamed(member, 'Order is ready')).draft!.definition.steps).toMatchObject({
    tell: { next: 'note' },
    note: { text: 'Told of the order', next: 'ask' },
  })
  await page.keyboard.press('Escape')
  await at('Add note').focus()
  await page.keyboard.press('Delete')
  await expect.poll(() => at('Add note').count()).toBe(0)
  await at('Send template').focus()
  await page.keyboard.press('Control+z')
  await at('Add note').waitFor()
})

/** Tells whether an element has the focus; runs in the page. */
const isFocused = (element: { ownerDocument: { activeElement: object | null } | null }) =>
  element === element.ownerDocument?.activeElement

test('a click below a text field hits its target, though the insertable values disappear with the focus', async () => {
  const ask = { ...ASK, text: 'When?', answer: 'text', saveAs: 'day' }
  const draft = { ...noteSaying(''), start: 'ask', steps: { ask } }
  const { page } = await openDrawn('Pressed', draft, 'ask')
  const panel = page.getByRole('complementary')
  await panel.getByLabel('Question').click()
  await panel.getByRole('button', { name: /Insert .contact\.name/ }).waitFor()
  await panel.getByLabel('Answer type').click()
  await page.getByRole('option', { name: 'A date' }).click()
  expect(await panel.getByRole('button', { name: /Insert .contact\.name/ }).count()).toBe(0)
})

test("two members who draw one flow see each other's draft, and continue with either", async () => {
  const { page, text, steps, saveTheirs } = await openDrawn('Of two', noteSaying('mine'), 'note')
  await saveTheirs()
  await text.fill('mine, changed')
  await sees(page, 'Someone else saved a different draft of this flow')
  await press(page, 'Use theirs')
  await expect.poll(() => text.inputValue()).toBe('theirs')
  await text.fill('both')
  await saved(page)
  expect(await steps()).toMatchObject({ note: { text: 'both' } })
})

test("a colleague's draft is replaced only by choice, and a draft is left unsaved only by choice", async () => {
  const { page, text, steps, saveTheirs } = await openDrawn('Left', noteSaying('mine'), 'note')
  await saveTheirs()
  await text.fill('mine, changed')
  await sees(page, 'Someone else saved a different draft of this flow')
  await text.fill('mine, changed again')
  const leave = page.getByRole('dialog', { name: 'Leave without saving?' })
  await page.getByRole('link', { name: 'Flows' }).first().click()
  await press(leave, 'Stay')
  await leave.waitFor({ state: 'detached' })
  expect(await text.inputValue()).toBe('mine, changed again')
  expect(await steps()).toMatchObject({ note: { text: 'theirs' } })
  await press(page, 'Keep mine')
  await saved(page)
  expect(await steps()).toMatchObject({ note: { text: 'mine, changed again' } })

  await page.route('**/draft?*', (route) => route.abort())
  await text.fill('never saved')
  await page.getByRole('link', { name: 'Flows' }).first().click()
  expect(await findFlaws(page)).toEqual([])
  await press(leave, 'Leave without saving')
  await page.waitForURL(/\/flows$/)
  expect(await steps()).toMatchObject({ note: { text: 'mine, changed again' } })
})

test('a page with an unsaved change asks before it closes', async () => {
  const { page, text } = await openDrawn('Unsaved', noteSaying('first'), 'note')
  const asked: string[] = []
  page.on('dialog', (dialog) => void (asked.push(dialog.type()), dialog.accept()))
  await page.route('**/draft?*', (route) => route.abort())
  await text.fill('second')
  await page.getByRole('button', { name: 'Save again' }).waitFor()
  await page.reload()
  expect(asked).toEqual(['beforeunload'])
  await page.getByRole('complementary').waitFor()
  await page.reload()
  expect(asked).toHaveLength(1)
})

test('writing on and publishing during a save saves once more, and reports no other member', async () => {
  const { page, text, steps } = await openDrawn('Slow', noteSaying('first'), 'note')
  world.clock.advance(1_000)
  const saves: (() => Promise<void>)[] = []
  await page.route('**/draft?*', (route) => void saves.push(() => route.continue()))
  await text.fill('second')
  await expect.poll(() => saves.length).toBe(1)
  await text.fill('third')
  // Each click asks for a save, and waits for the one in progress.
  await page.getByRole('button', { name: /^Publish/ }).dblclick()
  world.clock.advance(1_000)
  await saves[0]!()
  await expect.poll(() => saves.length).toBe(2)
  world.clock.advance(1_000)
  await saves[1]!()
  await page.getByRole('dialog').waitFor()
  expect(saves).toHaveLength(2)
  expect(await page.getByText('Someone else saved').count()).toBe(0)
  expect(await steps()).toMatchObject({ note: { text: 'third' } })
})

test.each(['99', 'none'])(
  'an unknown version of a flow is said not to exist: %s',
  async (number) => {
    const { page, say } = await open({ at: `flows/${shop.flowId}?version=${number}&step=ask` })
    await sees(page, say(builderWords, 'no_version'))
    // Nothing of the draft is shown in its place, and nothing can be changed.
    expect(await page.getByRole('complementary').count()).toBe(0)
    expect(await page.getByRole('group', { name: say(builderWords, 'map') }).count()).toBe(0)
    expect(await page.getByRole('button', { name: /^Publish|^Undo/ }).count()).toBe(0)
    await follow(page, say(builderWords, 'to_latest', { n: 1 }))
    await page.getByRole('group', { name: say(builderWords, 'map') }).waitFor()
    expect(new URL(page.url()).searchParams.get('version')).toBe('1')
  },
)

test('an Agent sees flows, and has no control that changes one', async () => {
  const { page, go } = await open({ at: 'flows', role: 'agent' })
  await page.getByRole('link', { name: 'Order is ready' }).waitFor()
  expect(await page.getByRole('button', { name: 'New flow' }).count()).toBe(0)
  expect(await page.getByRole('switch').count()).toBe(0)
  await go(`flows/${shop.flowId}?step=ask`)
  await sees(page, 'Only Owners and Admins can change flows')
  for (const name of [/^Publish/, 'Add a step here', 'Delete', 'Undo']) {
    expect(await page.getByRole('button', { name }).count()).toBe(0)
  }
})

test('texts of merchants and untrusted input are shown as text', async () => {
  const { page, member, go } = await open()
  const draft = {
    channelId: shop.channelId,
    trigger: { kind: 'keyword', words: [HOSTILE.slice(0, 90)] },
    start: 'say',
    steps: {
      say: { kind: 'send_message', text: HOSTILE, next: 'ask' },
      ask: {
        ...ASK,
        text: HOSTILE,
        answer: 'choice',
        options: [{ value: 'a', label: HOSTILE.slice(0, 100), next: null }],
      },
    },
  }
  const name = HOSTILE.slice(0, 70)
  const { id } = (await member.ask<FlowDetail>('POST', flows, { name, draft })).body
  for (const path of [`flows`, `flows/${id}?step=ask`, `flows/${id}?view=list&step=say`]) {
    await go(path)
    await page.getByText(name).first().waitFor()
    expect(await page.locator('main img').count()).toBe(0)
  }
})

test('the tree reads from the right in Arabic, and offers the same actions', async () => {
  const { page } = await open({ at: `flows/${shop.flowId}?step=ask`, language: 'ar' })
  const middleOf = async (name: string) => {
    const text = page.locator('.react-flow').getByText(name, { exact: true })
    const box = (await text.first().boundingBox())!
    return box.x + box.width / 2
  }
  await page.getByText('رد العميل').first().waitFor()
  expect(await middleOf('رد العميل')).toBeGreaterThan(await middleOf('لا رد في الوقت المحدد'))
  await page.getByRole('button', { name: 'إضافة خطوة هنا' }).first().click()
  await page.getByRole('button', { name: 'إرسال رسالة' }).waitFor()
  // A flow that a system starts can send nothing before its template.
  expect(await page.getByRole('button', { name: 'إرسال رسالة' }).isDisabled()).toBe(true)
})

/** A shop whose one flow waits for a reply, and goes two ways from there. */
async function openFlows(language: Language, step = '') {
  const own = await createOwnShop(world, {
    trigger: { kind: 'manual' },
    start: 'ask',
    steps: {
      ask: { ...ASK, kind: 'wait_for_reply', next: 'thanks', onTimeout: 'late' },
      thanks: { kind: 'note', text: 'They replied', next: 'praise' },
      praise: { kind: 'note', text: 'They liked it', next: null },
      late: { kind: 'note', text: 'No reply', next: null },
    },
  })
  const at = step === '' ? 'flows' : `flows/${own.flowId}?step=${step}`
  const opened = await openDashboard(world, { ...own, language, at })
  const draftOf = async (name: string) =>
    (await flowNamed(opened.member, name, flowsOf(own))).draft!.definition
  return { ...opened, own, draftOf }
}

test.each(LANGUAGES)('a branch is copied, pasted elsewhere, and deleted: %s', async (language) => {
  const { page, say, draftOf } = await openFlows(language, 'thanks')
  const panel = page.getByRole('complementary')
  await pick(panel, say(builderWords, 'more_acts'), say(builderWords, 'copy_branch'))
  await sees(page, say(builderWords, 'copied', { n: 2 }))
  const map = page.getByRole('group', { name: say(builderWords, 'map') })
  await map.locator('[data-key=late]').click()
  await pick(panel, say(builderWords, 'more_acts'), say(builderWords, 'add_after'))
  await panel.getByRole('button', { name: say(builderWords, 'paste', { n: 2 }) }).waitFor()
  expect(await findFlaws(page)).toEqual([])
  await press(panel, say(builderWords, 'paste', { n: 2 }))
  await page.getByText(say(builderWords, 'draft_saved')).first().waitFor()
  const texts = async () =>
    Object.values((await draftOf('Order is ready')).steps).map(
      (step) => 'text' in step && step.text,
    )
  expect((await texts()).filter((text) => text === 'They liked it')).toHaveLength(2)

  // Deleting the step deletes the branches that it opened, and the question names their number.
  await map.locator('[data-key=ask]').click()
  await page.getByRole('complementary', { name: /ask$/ }).waitFor()
  await press(panel, say(builderWords, 'delete'))
  const asked = page.getByRole('dialog', { name: say(builderWords, 'delete_question', { n: 3 }) })
  await sees(asked, say(builderWords, 'delete_branches'))
  expect(await findFlaws(page)).toEqual([])
  await press(asked, say(builderWords, 'keep_step'))
  await asked.waitFor({ state: 'detached' })
  await press(panel, say(builderWords, 'delete'))
  await press(asked, say(builderWords, 'delete_steps', { n: 4 }))
  await sees(page, say(builderWords, 'deleted'))
  await expect.poll(texts).toEqual(['They replied', 'They liked it'])
  await map.getByText(say(stepWords, 'note')).first().waitFor()
})

test.each(LANGUAGES)('a flow is duplicated, and one is deleted: %s', async (language) => {
  const { page, own, say, draftOf } = await openFlows(language)
  const more = (name: string) =>
    page.getByRole('button', { name: say(flowsWords, 'more', { name }) })
  await more('Order is ready').click()
  await page.getByRole('menuitem', { name: say(flowsWords, 'duplicate') }).click()
  const copy = flowsWords[language].copy_of.replace('{name}', 'Order is ready')
  await sees(page, say(flowsWords, 'duplicated', { name: copy }))
  await page.getByRole('link', { name: copy }).waitFor()
  expect((await draftOf(copy)).start).toBe('ask')

  await more('Order is ready').click()
  await page.getByRole('menuitem', { name: say(flowsWords, 'delete') }).click()
  const asked = page.getByRole('dialog', {
    name: say(flowsWords, 'delete_question', { name: 'Order is ready' }),
  })
  await sees(asked, flowsWords[language].delete_hook)
  expect(await findFlaws(page)).toEqual([])
  await press(asked, say(flowsWords, 'delete_flow'))
  await sees(page, say(flowsWords, 'deleted', { name: 'Order is ready' }))
  await page
    .getByRole('link', { name: 'Order is ready', exact: true })
    .waitFor({ state: 'detached' })
  expect((await postHook(own.hookUrl)).http).toBe(404)
})
