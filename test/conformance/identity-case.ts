/** Identity cases as they are written. */
import { acceptedBy, unknownIn, unknownInCase, whyUnknown, words } from './cases.ts'

/** The ids that a provider reports of one customer. */
export type Ids = {
  number?: string
  user?: string
  parent?: string
  lid?: string
  id?: string
  jid?: string
}

export type ImportedRow = { name?: string; phone?: string; email?: string; optedOut?: 'yes' | 'no' }

/** A step. The fields that it may have depend on its kind. */
export type Step = {
  do: string
  /** HH:MM of the day on which the case starts: the provider's time. */
  at?: string
  /** HH:MM at which the step arrives by the service's clock, if that is later than the provider's time. */
  arrives?: string
  label?: string
  on?: string
  from?: Ids | string
  to?: Ids | string
  ids?: Ids
  before?: Ids
  after?: Ids
  answer?: Ids
  text?: string
  name?: string
  type?: string
  number?: string
  lid?: string
  origin?: string
  phone?: string | null
  email?: string | null
  country?: string
  status?: string | null
  http?: number | null
  in?: string
  of?: string
  who?: string
  into?: string
  reason?: string
  mode?: string
  rows?: ImportedRow[]
  counts?: Record<string, number> | null
  faults?: string[]
  account?: string
  steps?: Step[]
}

type ByIdentifier<Value> = Record<string, Value>

export type Expected = {
  contacts?: number
  together?: string[][]
  nobody?: string[]
  optedOut?: ByIdentifier<boolean>
  phone?: ByIdentifier<string | null>
  whatsAppId?: ByIdentifier<string | null>
  name?: ByIdentifier<string | null>
  email?: ByIdentifier<string | null>
  talks?: string[][]
  events?: string[]
  dialled?: Record<string, string | null>
  heard?: Record<string, string | null>
  starts?: string[]
  booked?: Record<string, string>
  actionPhone?: Record<string, string | null>
  actionEmail?: Record<string, string | null>
  suggested?: [string, string][]
  notSuggested?: [string, string][]
}

export type IdentityCase = {
  id: string
  channels?: string[]
  steps: Step[]
  expect: Expected
  also_accept?: Expected[]
}

export type IdentityFile = {
  defaults: {
    start: string
    channels: string[]
    company: { country: string; plan: string }
  }
}

const CHANNELS = words('wa wa2 waP qr tg tg2 ms ms2 ig site widget voice')
const ALWAYS = words('do at arrives label')
const IDS = words('number user parent lid id jid')

/** The fields of each kind of step, besides its time and label. */
const FIELDS: Record<string, string> = {
  message: 'on from text name',
  share: 'on from number origin name',
  system: 'on type from before after',
  mapping: 'on lid number',
  echo: 'on to text',
  history: 'on from text name',
  hook: 'phone name status answer',
  send: 'to on http answer',
  reply: 'in text http answer',
  receipt: 'of ids status',
  create: 'name phone email country http',
  edit: 'who name phone email country http',
  merge: 'into from http',
  unmerge: 'who from http',
  optOut: 'who http',
  optIn: 'who reason http',
  erase: 'who http',
  import: 'mode country rows counts faults',
  form: 'on text name phone email http',
  booking: 'name phone email http',
  visitor: 'on text name phone email http',
  call: 'on from text',
  move: 'on account',
  atOnce: 'steps',
}

const EXPECTED = words(
  `contacts together nobody optedOut phone whatsAppId name email talks events dialled heard starts booked
  actionPhone actionEmail suggested notSuggested`,
)

/** Returns why the runner cannot express a case, or null when it can. */
export const whyNotExpressed = (one: IdentityCase): string | null =>
  whyUnknown([
    ...unknownInCase(one, words('channels steps')),
    ...(one.channels ?? []).filter((name) => !CHANNELS.includes(name)),
    ...one.steps.flatMap(unknownInStep),
    ...acceptedBy(one).flatMap((expected) => unknownIn(expected, EXPECTED)),
  ])

function unknownInStep(step: Step): string[] {
  const known = FIELDS[step.do]
  if (known === undefined) return [step.do]
  const named = [step.from, step.to, step.ids, step.before, step.after, step.answer]
  return [
    ...unknownIn(step, [...ALWAYS, ...words(known)]),
    ...named.flatMap((ids) => (typeof ids === 'object' ? unknownIn(ids, IDS) : [])),
    ...(step.rows ?? []).flatMap((row) => unknownIn(row, words('name phone email optedOut'))),
    ...(step.steps ?? []).flatMap(unknownInStep),
  ]
}
