/** The tabs of one browser, which share a stream of changes, over plain HTTP/1.1 with its six connections to a host. Spec: Dashboard › Live updates. */
import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { LIVE_LIMITS } from '../../src/core/limits/deliveries.ts'
import { appears, openDashboard } from '../support/dashboard-page.ts'
import { openWorld } from '../support/open-world.ts'
import { createOwnShop } from '../support/shop.ts'
import { waitUntil } from '../support/wait.ts'
import { pick } from '../support/page-steps.ts'

const world = await openWorld()
const TABS = 8

/** Opens tabs on the list of flows of a company; the last one shows the company's second project. */
async function openTabs(prepare: (context: BrowserContext) => Promise<unknown> = async () => {}) {
  const shop = await createOwnShop(world)
  const { page, context, member } = await openDashboard(world, shop)
  await prepare(context)
  const make = async (path: string) =>
    (await member.ask<{ id: string }>('POST', path, { name: 'Second' })).body.id
  const projectId = await make('/companies')
  const flows = [
    { companyId: shop.companyId, flowId: shop.flowId },
    { companyId: projectId, flowId: await make(`/companies/${projectId}/flows`) },
  ]
  /** The open streams, each with its tab. */
  const streams = new Map<object, Page>()
  context.on('request', (request) => {
    if (/\/live(?:\?|$)/.test(request.url())) streams.set(request, request.frame().page())
  })
  context.on('requestfinished', (request) => void streams.delete(request))
  context.on('requestfailed', (request) => void streams.delete(request))
  const tabs = [page]
  for (let tab = 1; tab < TABS; tab += 1) tabs.push(await context.newPage())
  const showFlows = async (tab: Page, companyId: string) => {
    await tab.goto(`${world.url}/p/${companyId}/flows`)
    await tab.getByRole('link', { name: /^(?:Order is ready|Second|Named)/ }).waitFor()
  }
  for (const tab of tabs) {
    await showFlows(tab, tab === tabs.at(-1) ? projectId : shop.companyId)
  }
  /** Renames the flows of both projects, and expects each tab to show its new name. */
  const showNamed = async (name: string) => {
    for (const { companyId, flowId } of flows) {
      const path = `/companies/${companyId}/flows/${flowId}`
      expect((await member.ask('PATCH', path, { name })).status).toBe(200)
    }
    for (const tab of tabs.filter((one) => !one.isClosed())) {
      expect(await appears(tab.getByRole('link', { name, exact: true }))).toBe(true)
    }
  }
  /** Returns the tabs that have a stream. */
  const open = () => [...streams.values()].filter((tab) => !tab.isClosed())
  const reader = async () => {
    await waitUntil('one stream is open', () => open().length === 1)
    return open()[0]!
  }
  return { tabs, context, open, reader, showNamed, showFlows, shop, projectId }
}

test('eight tabs of two projects share one stream, which the next tab takes over', async () => {
  const { tabs, reader, showNamed, showFlows, shop, projectId } = await openTabs()
  await showNamed('Named first')
  const first = await reader()
  await first.close()
  await showNamed('Named second')
  const second = await reader()
  expect(second).not.toBe(first)
  // The tab that has the stream goes on to the other project.
  await showFlows(second, second === tabs.at(-1) ? shop.companyId : projectId)
  await showNamed('Named third')
  await reader()
})

test('a sleeping tab that has the stream is replaced by the tab that is looked at', async () => {
  const { tabs, open, reader, showNamed } = await openTabs()
  await showNamed('Named first')
  const asleep = await reader()
  const session = await asleep.context().newCDPSession(asleep)
  await session.send('Debugger.enable')
  await session.send('Debugger.pause')
  const [awake] = tabs.filter((tab) => tab !== asleep)
  await awake!.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
  await waitUntil('another tab has a stream', () => open().some((tab) => tab !== asleep))
  await session.send('Debugger.disable')
  await showNamed('Named second')
  expect(await reader()).not.toBe(asleep)
})

test('a browser without locks keeps a connection free of streams', async () => {
  const { tabs, open } = await openTabs((context) =>
    context.addInitScript('delete Navigator.prototype.locks'),
  )
  for (const tab of tabs) {
    await tab.getByRole('link', { name: 'Contacts' }).first().click()
    await tab.getByRole('heading', { name: 'Contacts' }).first().waitFor()
  }
  // A refused stream counts as open until it is refused.
  await waitUntil('no more are open', () => open().length <= LIVE_LIMITS.watchersPerSession)
  expect(open().length).toBeGreaterThan(1)
})

test('signing out leads every tab to the sign-in, and signing in there shares a stream again', async () => {
  const { tabs, context, reader, showNamed, showFlows, shop, projectId } = await openTabs()
  await reader()
  const [page, ...others] = tabs
  await pick(page!, /^Account menu/, 'Sign out')
  for (const tab of others) await tab.waitForURL('**/sign-in?next=*')
  const elsewhere = await openDashboard(world, shop)
  await context.addCookies(await elsewhere.context.cookies())
  for (const tab of tabs) {
    await showFlows(tab, tab === tabs.at(-1) ? projectId : shop.companyId)
  }
  await showNamed('Named after')
  expect(tabs).toContain(await reader())
})
