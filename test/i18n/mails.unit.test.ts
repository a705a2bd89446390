/** Links in e-mails: mail programs make a link of an address and of all that follows it up to a space. */
import { expect, test } from 'vitest'
import { invitationMail } from '../../src/i18n/invitation-words.ts'
import { noticeMail } from '../../src/i18n/notice-words.ts'
import { passwordResetMail } from '../../src/i18n/password-reset-words.ts'

const LINK = 'https://wasla.example.com/new-password#aToken-of_letters'
const TOKEN = 'aToken-of_letters'
const expiresAt = new Date('2026-12-01T10:00:00Z')
const until = { expiresAt, timeZone: 'Asia/Riyadh' }
const reset = (language: 'ar' | 'en' | null) =>
  passwordResetMail({ language, ...until, link: LINK })
const invite = (facts: Partial<Parameters<typeof invitationMail>[0]> = {}) =>
  invitationMail({
    accountName: null,
    inviterName: null,
    role: 'agent',
    link: LINK,
    token: TOKEN,
    ...until,
    ...facts,
  })
const notify = (kind: string, details: object, companyName = 'متجر') => {
  const notice = { kind, companyName, timeZone: 'Asia/Riyadh', details: JSON.stringify(details) }
  return noticeMail(notice, { signInUrl: LINK })
}

test.each([
  ['a new password, in Arabic', reset('ar'), 1],
  ['a new password, in English', reset('en'), 1],
  ['a new password, in both', reset(null), 2],
  ['an invitation', invite({ accountName: 'متجر', inviterName: 'سارة' }), 2],
  ['a notice', notify('endpoint_failing', {}), 2],
])('the link of %s ends at its last character', (_of, { text }, times) => {
  const links = [...text.matchAll(/https:\S+/g)].map(([link]) => link)
  expect(links).toEqual(Array(times).fill(LINK))
})

const BAD = [
  'https://evil.example/reset',
  'Evil.Example',
  'evil。example',
  '(evil.example/a)',
  'support@wasla.example.com',
  'www.evil.example',
  'tel:+966501112233',
  '10.1.2.3/login',
]
/** Returns the parts of a text that mail programs turn into links, except for the service's own links. */
const linksIn = (text: string) =>
  text.replaceAll(LINK, '').match(/\S+@\S+|[a-z]\w*:\S+|[\p{L}\d-]+[.。][\p{L}\d-]+\S*/gu) ?? []

test.each(BAD)('no name that a person chose becomes a link: %s', (name) => {
  const model = { modelName: name, host: 'api', why: 'not_found' }
  const endpoint = { endpointId: '1', endpointName: name, failuresInRow: 1 }
  const notices: [string, object][] = [
    ['endpoint_failing', endpoint],
    ['endpoint_switched_off', endpoint],
    ['mentioned', { by: name, conversationId: '1', text: `look at ${name} now` }],
    ['model_broken', model],
    ['appointments_outside_hours', { count: 1, appointments: [] }],
  ]
  const mails = [
    invite({ accountName: `Shop ${name}`, inviterName: name, role: 'admin' }),
    ...notices.map(([kind, details]) => notify(kind, details, name)),
  ]
  expect(mails.flatMap(({ subject, text }) => [...linksIn(subject), ...linksIn(text)])).toEqual([])
})

test.each(['متجر الرياض 24/7', 'A. B. Trading & Co.', 'Price 49.90', 'O’Hara-Smith'])(
  'a name that is no link stays as it is: %s',
  (name) => {
    expect(invite({ accountName: name }).text).toContain(`\u2068${name}\u2069`)
  },
)

test('the code of an invitation has spaces around it, so that it can be copied', () => {
  const words = invite({ role: 'admin' }).text.split(/\s+/)
  expect(words.filter((word) => word === TOKEN)).toHaveLength(2)
})

test.each([
  [8, '8 مرات'],
  [100, '100 مرة'],
])('an Arabic notice counts %i failures as Arabic does', (failuresInRow, said) => {
  const failed = { lastStatus: 500, lastError: 'http_error', reason: null }
  const endpoint = { endpointId: '0197b6de-9f9c-7c3e-8d4f-0123456789ab', endpointName: 'Orders' }
  const details = { ...endpoint, ...failed, failuresInRow, failingSince: expiresAt.toISOString() }
  expect(notify('endpoint_failing', details).text).toContain(`فشلت ${said} على التوالي منذ`)
})

test('an e-mail shows times in the language of each part, by the clock of the company', () => {
  const shown = ({ text }: { text: string }) => text.replaceAll(/\p{Cf}/gu, '')
  expect(shown(reset('en'))).toContain('expires on Tue, 1 Dec 2026, 13:00 (UTC+3).')
  expect(shown(reset('ar'))).toContain('حتى الثلاثاء، 1 ديسمبر 2026، 13:00 (UTC+3).')
  const appointments = [{ reference: 'A1', local: '2026-12-01T13:00' }]
  const notice = shown(notify('appointments_outside_hours', { count: 2, appointments }))
  expect(notice).toContain('A1 Tue, 1 Dec 2026, 13:00')
  expect(notice).toContain('A1 الثلاثاء، 1 ديسمبر 2026، 13:00')
  const inLondon = invite({ timeZone: 'Europe/London' })
  expect(inLondon.text).toContain('expires on Tue, 1 Dec 2026, 10:00 (UTC).')
})
