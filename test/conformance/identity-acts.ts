/** Steps of merchants, members and unauthenticated clients in an identity case, by their routes. */
import { bookAppointment } from '../../src/modules/appointments/book-appointment.ts'
import type { SentReply } from '../../src/contract/dashboard/conversation.ts'
import { postHook } from '../support/post-hook.ts'
import { appointmentsOf } from '../support/records/appointments.ts'
import { defined } from '../support/defined.ts'
import { getPage } from '../support/pages.ts'
import { importsOf } from '../support/upload-contacts.ts'
import { visitorRequest } from '../support/visitors.ts'
import type { ImportedRow, Step } from './identity-case.ts'
import { lineOf } from './identity-line.ts'
import { contactOfLetter, requireContact, talkOf, type Play } from './identity-play.ts'

/** A step's function. It returns the contact that a member has opted in, and nothing for any other step. */
type Act = (play: Play, step: Step) => Promise<string | void>

/** Adds a fault when an answer has another status than the step expects. */
function judge(play: Play, step: Step, { status, body }: { status: number; body?: unknown }): void {
  const wanted = step.http ?? null
  if (wanted !== null && wanted !== status) {
    const said = status >= 400 ? ` ${JSON.stringify(body).slice(0, 120)}` : ''
    play.faults.push(`${step.do} ${step.label}: http ${wanted} got ${status}${said}`)
  }
}

const key = ({ keys }: Play) => `key-${(keys.made += 1)}`

/** Sends a request of the Owner to the API of the dashboard, at a path of the company. */
const ask = async <Body>({ company }: Play, method: string, path: string, json?: object) =>
  (await company.owner()).ask<Body>(method, company.path + path, json)

const given = ({ name, phone, email, country }: Step) => defined({ name, phone, email, country })

/** Makes the provider's answer contain the ids that a step gives, if it gives any. */
function expectAnswer(play: Play, { answer, phone }: Step): void {
  if (answer) play.company.provider.answerWith(phone?.replace(/\D/g, '') ?? null, answer)
}

const hook: Act = async (play, step) => {
  const { shop, address } = play.company
  expectAnswer(play, step)
  const { phone, name } = step
  const body = { customer: { phone, ...defined({ name }) }, order: { number: key(play) } }
  const answer = await postHook(shop.hookUrl, body, { 'x-forwarded-for': address })
  const wanted = step.status ?? null
  if (wanted !== null && wanted !== answer.status) {
    play.faults.push(`hook ${step.label}: status ${wanted} got ${answer.status}`)
  }
  if (answer.id !== null) play.made.set(step.label!, { kind: 'run', runId: answer.id })
}

/** Returns an identifier or letter of a step, but no ids of a message. */
const nameIn = (value: unknown): string => (typeof value === 'string' ? value : '')

const send: Act = async (play, step) => {
  expectAnswer(play, step)
  const channelId = play.company.channels.get(step.on ?? '')?.id
  const contactId = await requireContact(play, nameIn(step.to))
  const body = ['1', '2'].map((name) => ({ name, text: 'x' }))
  const template = { name: 'order_ready', language: 'en', body }
  const said = { contactId, channelId, key: key(play), template }
  keepSent(play, step, await ask<SentReply>(play, 'POST', '/conversations', said))
}

const reply: Act = async (play, step) => {
  expectAnswer(play, step)
  const messages = `/conversations/${encodeURIComponent(talkOf(play, step.in ?? ''))}/messages`
  const said = { key: key(play), text: step.text ?? 'hello' }
  keepSent(play, step, await ask<SentReply>(play, 'POST', messages, said))
}

function keepSent(play: Play, step: Step, answer: { status: number; body: SentReply }) {
  judge(play, step, answer)
  const { status, body } = answer
  if (status < 300) play.made.set(step.label!, { kind: 'message', messageId: body.message.id })
}

const create: Act = async (play, step) =>
  judge(play, step, await ask(play, 'POST', '/contacts', given(step)))

const edit: Act = async (play, step) => {
  const id = await requireContact(play, step.who ?? '')
  judge(play, step, await ask(play, 'PATCH', `/contacts/${id}`, given(step)))
}

/** Returns the contact of a letter, even after a merge, or the contact that an identifier finds. */
const named = (play: Play, identifier: string) =>
  /^[A-Z]$/.test(identifier)
    ? Promise.resolve(contactOfLetter(play, identifier))
    : requireContact(play, identifier)

const merge =
  (verb: 'merge' | 'unmerge'): Act =>
  async (play, step) => {
    const into = await named(play, (verb === 'merge' ? step.into : step.who) ?? '')
    const fromId = await named(play, nameIn(step.from))
    judge(play, step, await ask(play, 'POST', `/contacts/${into}/${verb}`, { fromId }))
  }

const byMember =
  (verb: string, input?: (step: Step) => object): Act =>
  async (play, step) => {
    const id = await requireContact(play, step.who ?? '')
    const answer = await ask(play, 'POST', `/contacts/${id}/${verb}`, input?.(step))
    judge(play, { ...step, http: step.http ?? 200 }, answer)
    if (verb === 'erase' && answer.status === 200) play.erased.add(id)
    return verb === 'opt-in' ? id : undefined
  }

const cell = (value = '') => `"${value.replaceAll('"', '""')}"`
const lineOfRow = ({ name, phone, email, optedOut }: ImportedRow) =>
  [name, phone, email, '', optedOut].map(cell).join(',')

const importPage: Act = async (play, step) => {
  const { world, shop } = play.company
  const owner = await play.company.owner()
  const imports = importsOf(world, { owner, shop })
  const rows = step.rows ?? []
  const { country, mode = 'fill' } = step
  const file = rows.map(lineOfRow).join('\n')
  const id = await imports.check(file, { mode, ...defined({ country }) })
  const done = await imports.start(id)
  const view = done as unknown as Record<string, unknown>
  for (const [name, count] of Object.entries(step.counts ?? {})) {
    if (view[name] === count) continue
    play.faults.push(`import ${step.label}: ${name} ${count} got ${String(view[name])}`)
  }
  if (step.faults === undefined) return
  // Rows of one number, or of one e-mail address without a number, are one contact.
  const notes = Object.entries(await imports.listed(id))
  const listed = new Map(
    notes.flatMap(([row, codes]) =>
      codes.map((code) => [`${code} ${contactOfRow(rows[Number(row) - 2], Number(row))}`, code]),
    ),
  )
  const codes = [...listed.values()].toSorted()
  if (codes.join() !== step.faults.join()) {
    play.faults.push(`import ${step.label}: faults ${step.faults.join()} got ${codes.join()}`)
  }
}

function contactOfRow(row: ImportedRow | undefined, number: number): string {
  const digits = row?.phone?.replace(/\D/g, '') ?? ''
  return digits === '' ? (row?.email?.toLowerCase() ?? String(number)) : lineOf(digits)
}

const form: Act = async (play, step) => {
  const { world, address, channels } = play.company
  const channel = channels.get(step.on ?? '')!
  const { phone, name, email, text = 'hello' } = step
  const fields = { ...defined({ name, phone, email }), message: text }
  const asked = { json: { fields }, headers: { 'x-forwarded-for': address } }
  const answer = await visitorRequest(
    world.url,
    'POST',
    `/website/v1/${channel.secret}/leads`,
    asked,
  )
  judge(play, { ...step, http: step.http ?? 202 }, answer)
}

/** A visitor with the same details is the same visitor. */
const visitor: Act = async (play, step) => {
  const { world, address, channels } = play.company
  const { name, email, phone, text = 'hello' } = step
  const who = JSON.stringify([step.on, name, email, phone])
  const known = play.visitors.get(who)
  const headers = { 'x-forwarded-for': address }
  const widgetKey = channels.get(step.on ?? '')!.secret
  const open = async () => {
    type Session = { visitorToken: string }
    const begun = { json: { widgetKey }, headers }
    const session = await visitorRequest<Session>(world.url, 'POST', '/widget/v1/sessions', begun)
    const authorization = `Bearer ${session.body.visitorToken}`
    return {
      say: (words: string, more: object = {}) =>
        visitorRequest(world.url, 'POST', '/widget/v1/messages', {
          json: { clientMessageId: key(play), text: words, ...more },
          headers: { authorization, ...headers },
        }),
    }
  }
  const opened = known ?? (await open())
  play.visitors.set(who, opened)
  // The widget has no field for a number, so a visitor writes it in the text.
  const words = phone ? `${text} ${phone}` : text
  const answer = await opened.say(words, defined({ name, email }))
  judge(play, { ...step, http: step.http ?? answer.status }, answer)
  if (answer.status >= 300) play.faults.push(`visitor ${step.label}: http ${answer.status}`)
}

const booking: Act = async (play, step) => {
  const { world, shop, address } = play.company
  const page = await play.company.openPage()
  const headers = { 'x-forwarded-for': address }
  const look = (url: string) => getPage(url, { headers })
  const offered = await look(`${page.url}?service=${page.workshopId}&lang=en`)
  const day = hrefWith(offered.text, 'day', page.url)
  const times = await look(day)
  const time = hrefWith(times.text, 'at', day)
  const last = await look(time)
  const requestKey = /name="key" value="([^"]+)"/.exec(last.text)?.[1] ?? ''
  const known = new Set((await appointmentsOf(world, shop)).map(({ id }) => id))
  const { name = '', phone, email } = step
  if (email === undefined || last.text.includes('name="email"')) {
    const typed = { key: requestKey, name, phone: phone ?? '', ...(email && { email }) }
    const { status } = await getPage(time, { form: typed, headers })
    judge(play, { ...step, http: step.http ?? 303 }, { status })
  } else {
    // The page has no field for an e-mail address yet, so the step calls the function behind the
    // page.
    const outcome = await bookAppointment(world.service.context, {
      companyId: shop.companyId,
      source: 'booking_page',
      serviceId: page.workshopId,
      resourceId: null,
      startsAt: new Date(new URL(time).searchParams.get('at')!),
      customer: { contactId: null, conversationId: null, name, phone: phone ?? null, email },
      language: 'en',
      requestKey,
    })
    if (outcome.outcome !== 'booked') play.faults.push(`booking ${step.label}: ${outcome.outcome}`)
  }
  const made = (await appointmentsOf(world, shop)).find(({ id }) => !known.has(id))
  if (made) play.made.set(step.label!, { kind: 'booking', appointmentId: made.id })
}

/** Returns the first link of a page with a choice, such as a day or a time. @throws Error if there is none. */
function hrefWith(page: string, choice: string, base: string): string {
  for (const [, href] of page.matchAll(/href="([^"]*)"/g)) {
    const url = new URL(href!.replaceAll('&amp;', '&'), base)
    if (url.searchParams.has(choice)) return url.href.replace(/#.*/, '')
  }
  throw new Error(`the booking page offers no ${choice}`)
}

const move: Act = async (play, step) => {
  const { channels, accountOf } = play.company
  const channel = channels.get(step.on ?? '')!
  const account = accountOf(step.account ?? '')
  const changed = { credentials: { businessAccountId: account } }
  const answer = await ask(play, 'PATCH', `/channels/${channel.id}`, changed)
  judge(play, { ...step, http: 200 }, answer)
  channel.account = account
}

export const ACTS: Readonly<Record<string, Act>> = {
  hook,
  send,
  reply,
  create,
  edit,
  merge: merge('merge'),
  unmerge: merge('unmerge'),
  optOut: byMember('opt-out'),
  optIn: byMember('opt-in', ({ reason = 'asked' }) => ({ reason })),
  erase: byMember('erase', () => ({ confirm: true })),
  import: importPage,
  form,
  visitor,
  booking,
  move,
}
